/** `sha256:` and 64 hexadecimal digits. @throws where browsers do not compute hashes: over plain HTTP, except on localhost */
export async function sha256Of(content: string | ArrayBuffer): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

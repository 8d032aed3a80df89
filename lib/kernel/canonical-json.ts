import { createHash } from "node:crypto";

// The form under which everything that is hashed is written (RFC 8785); the SDK's verifier must find the same bytes.
export { canonicalJson } from "#sdk/canonical-json.ts";

/** `sha256:` and 64 hexadecimal digits over the UTF-8 bytes of the text. */
export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

import { hash } from "node:crypto";

/** An answer that anyone may read and keep for a minute, and that costs nothing where it is known already. */
export function sharedDocument(request: Request, type: string, body: string): Response {
  const etag = `"${hash("sha1", body, "base64url")}"`;
  const headers = { ETag: etag, "Cache-Control": "public, max-age=60", "Access-Control-Allow-Origin": "*" };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(body, { headers: { ...headers, "Content-Type": `${type}; charset=utf-8` } });
}

export function missingDocument(): Response {
  return new Response("There is nothing here under this name.\n", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

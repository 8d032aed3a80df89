import { hash } from "node:crypto";

/** A public document that may be cached for `seconds`; a client that already has it gets 304. */
export function sharedDocument(request: Request, type: string, body: string, seconds = 60): Response {
  const etag = `"${hash("sha1", body, "base64url")}"`;
  const headers = { ETag: etag, "Cache-Control": `public, max-age=${seconds}`, "Access-Control-Allow-Origin": "*" };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(body, { headers: { ...headers, "Content-Type": `${type}; charset=utf-8` } });
}

export function missingDocument(): Response {
  return new Response("Not found.\n", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

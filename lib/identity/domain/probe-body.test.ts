import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { answer, flood } from "#testing/outside/hostile-origin.ts";
import { chunked, failing, OK, probe, TOKEN, withBody } from "#testing/outside/probed-origin.ts";

describe("more than is read is cut off at once", { concurrency: 2 }, () => {
  const bomb = gzipSync(Buffer.alloc(16_000_000));
  failing("too_large", {
    "one byte too many": withBody(TOKEN.padEnd(4_097)),
    "a length that is never sent": (socket) => socket.write(`${OK}Content-Length: 4097\r\n\r\n`),
    "a huge length that is never sent": (socket) => socket.write(`${OK}Content-Length: 1000000000000\r\n\r\n`),
    "a huge length that is sent": flood(`${OK}Content-Length: 1000000000000\r\n\r\n`, "a"),
    chunks: answer(`${chunked(TOKEN, " ".repeat(4_050))}0\r\n\r\n`),
    "one endless chunk": flood(`${OK}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n`, "a"),
    "chunks without end": flood(`${OK}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"),
    "no length and no end": flood(`${OK}\r\n`, "a"),
    "white space without end": flood(`${OK}\r\n${TOKEN}`, " "),
    "a gzip bomb that is not called one": withBody(bomb),
    "one endless header": flood(`${OK}X: `, "a"),
    "headers without end": flood(OK, "X-Filler: aaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
    "an endless reason phrase": flood("HTTP/1.1 200 ", "a"),
    "an endless chunk extension": flood(`${OK}Transfer-Encoding: chunked\r\n\r\n1;x=`, "a"),
    "trailers without end": flood(`${chunked(TOKEN)}0\r\n`, "X-Filler: aaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
  });
});

describe("another body is a mismatch", { concurrency: 2 }, () => {
  const bodies: Record<string, string | Buffer> = {
    nothing: "",
    "white space": " \r\n",
    "another token": TOKEN.replace("0", "1"),
    "the token in another case": TOKEN.toUpperCase(),
    "a part of the token": TOKEN.slice(0, -1),
    "the token and more": `${TOKEN}x`,
    "the token twice": `${TOKEN}\n${TOKEN}`,
    "the token in quotes": `"${TOKEN}"`,
    "the token in a page": `<!doctype html><title>Sign in</title>${TOKEN}`,
    "white space inside": TOKEN.replace("_", " _"),
    "a NUL at the end": `${TOKEN}\0`,
    "a NUL in place of the end": `${TOKEN.slice(0, -1)}\0`,
    "a byte order mark": `\ufeff${TOKEN}`,
    "a zero-width space": `${TOKEN}\u200b`,
    "a no-break space": `\u00a0${TOKEN}`,
    "a line separator": `${TOKEN}\u2028`,
    "look-alike letters": TOKEN.replace("a", "\u0430"),
    "full-width letters": TOKEN.replace("a", "\uff41"),
    "UTF-16": Buffer.from(TOKEN, "utf16le"),
    "bytes that are no UTF-8": Buffer.from([...Buffer.from(TOKEN), 0xff, 0xfe]),
    "its gzip, not called so": gzipSync(TOKEN),
  };
  for (const [name, body] of Object.entries(bodies)) failing("mismatch", { [name]: withBody(body) });
  failing("mismatch", {
    gzip: withBody(gzipSync(TOKEN), "Content-Encoding: gzip\r\n"),
    brotli: withBody(brotliCompressSync(TOKEN), "Content-Encoding: br\r\n"),
    "deflate by name alone": withBody(TOKEN, "Content-Encoding: deflate\r\n"),
    "an unknown encoding": withBody(TOKEN, "Content-Encoding: rot13\r\n"),
    "two encodings": withBody(TOKEN, "Content-Encoding: identity\r\nContent-Encoding: gzip\r\n"),
    "a gzip bomb": withBody(gzipSync(Buffer.alloc(3_000_000)), "Content-Encoding: gzip\r\n"),
  });
  it("says that a byte order mark is in the way", async () => {
    const result = await probe(withBody(`\ufeff${TOKEN}`));
    assert.match(result.ok ? "" : result.detail, /begins with a byte order mark/);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { answer, type Behaviour, breakOff, drip, flood } from "#testing/outside/hostile-origin.ts";
import { chunked, failing, OK, probe, TOKEN, URL_PATH, withBody } from "#testing/outside/probed-origin.ts";

describe("a file that holds the token passes", { concurrency: 2 }, () => {
  const passing: Record<string, Behaviour> = {
    "with its length": withBody(TOKEN),
    "with a line end": withBody(`${TOKEN}\n`),
    "with white space around": withBody(`\r\n\t  ${TOKEN} \t\r\n\f\v`),
    "padded to the last byte that is read": withBody(TOKEN.padEnd(4_096)),
    "in one chunk": answer(`${chunked(TOKEN)}0\r\n\r\n`),
    "in a chunk for each character": answer(`${chunked(...TOKEN)}0\r\n\r\n`),
    "ended by the end of the connection": answer(`${OK}\r\n${TOKEN}`),
    "over HTTP/1.0": answer(`HTTP/1.0 200 OK\r\n\r\n${TOKEN}`),
    "with an encoding that changes nothing": withBody(TOKEN, "Content-Encoding: Identity\r\n"),
    "as another media type": withBody(TOKEN, "Content-Type: application/octet-stream\r\n"),
    "with a cookie that is ignored": withBody(TOKEN, "Set-Cookie: a=b\r\n"),
    "after early hints": answer(
      `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${OK}Content-Length: 47\r\n\r\n${TOKEN}`,
    ),
    "on a connection that the server leaves open": (socket) =>
      socket.write(`${OK}Content-Length: ${TOKEN.length}\r\n\r\n${TOKEN}`),
  };
  for (const [name, behave] of Object.entries(passing)) {
    it(name, async () => assert.deepEqual(await probe(behave), { ok: true }));
  }
});

it("the request names the host, carries no credential and asks for plain text", async () => {
  let seen = "";
  let serverName: string | false | null = null;
  await probe((socket, head) => {
    seen = head;
    serverName = socket.servername;
    withBody(TOKEN)(socket, head);
  });
  assert.equal(serverName, "alpha.test");
  assert.deepEqual(seen.trimEnd().split("\r\n"), [
    `GET ${URL_PATH} HTTP/1.1`,
    "Host: alpha.test",
    "Accept: text/plain",
    "Accept-Encoding: identity",
    "User-Agent: Guildhall/1.0.0 (domain verification)",
    "Connection: close",
  ]);
});

describe("a redirect is not followed", { concurrency: 2 }, () => {
  const places = [
    "http://169.254.169.254/latest/meta-data/",
    "https://127.0.0.1/",
    `https://alpha.test${URL_PATH}`,
    "//[::1]/",
  ];
  for (const status of [300, 301, 302, 303, 304, 305, 306, 307, 308, 399]) {
    for (const place of status === 302 ? places : places.slice(0, 1)) {
      failing("redirect", {
        [`${status} to ${place}`]: answer(
          `HTTP/1.1 ${status} X\r\nLocation: ${place}\r\nContent-Length: 47\r\n\r\n${TOKEN}`,
        ),
      });
    }
  }
  failing("redirect", { "302 to nowhere": answer(`HTTP/1.1 302 X\r\n\r\n${TOKEN}`) });
});

describe("only status 200 counts, even with the right body", { concurrency: 2 }, () => {
  const statuses = [
    201, 202, 203, 204, 205, 206, 226, 299, 400, 401, 403, 404, 405, 407, 410, 418, 421, 429, 451, 500, 502, 503, 504,
    511, 599, 600, 999,
  ];
  for (const status of statuses) {
    failing("status", { [`${status}`]: answer(`HTTP/1.1 ${status} X\r\nWWW-Authenticate: Basic\r\n\r\n${TOKEN}`) });
  }
  failing("status", {
    "101 with an upgrade": answer(`HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${TOKEN}`),
    "101 without an upgrade": answer(`HTTP/1.1 101 X\r\n\r\n${TOKEN}`),
    "a flood of 100": flood("", "HTTP/1.1 100 Continue\r\n\r\n"),
    "a flood of 102": flood("", "HTTP/1.1 102 Processing\r\n\r\n"),
    "a flood of 103": flood("", "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"),
    "nine informational answers before a good one": answer("HTTP/1.1 103 X\r\n\r\n".repeat(9), `${OK}\r\n${TOKEN}`),
  });
});

describe("what is not HTTP is refused", { concurrency: 2 }, () => {
  failing("status", {
    "a bare body, as in HTTP/0.9": answer(TOKEN),
    "the banner of another protocol": answer("SSH-2.0-OpenSSH_9.2p1\r\n"),
    "zero bytes": answer("\0".repeat(100)),
    "an unknown version": answer(`HTTP/9.9 200 OK\r\n\r\n${TOKEN}`),
    "a status that is no number": answer(`HTTP/1.1 abc OK\r\n\r\n${TOKEN}`),
    "HTTP/2 frames": answer(Buffer.from("000012040000000000000300000080000400010000", "hex")),
    "a header with a NUL": answer(`${OK}X: a\0b\r\n\r\n${TOKEN}`),
    "a header without a colon": answer(`${OK}nonsense\r\n\r\n${TOKEN}`),
    "two different lengths": answer(`${OK}Content-Length: 47\r\nContent-Length: 48\r\n\r\n${TOKEN}`),
    "a length beside chunks": answer(chunked(TOKEN).replace("\r\n\r\n", "\r\nContent-Length: 47\r\n\r\n"), "0\r\n\r\n"),
    "a negative length": answer(`${OK}Content-Length: -1\r\n\r\n${TOKEN}`),
    "a length beyond all numbers": answer(`${OK}Content-Length: ${"9".repeat(30)}\r\n\r\n${TOKEN}`),
    "a chunk size that is no number": answer(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n${TOKEN}\r\n0\r\n\r\n`),
    "a flood of garbage": flood("", "garbage"),
  });
});

describe("a connection that breaks is unreachable, even after the whole token", { concurrency: 2 }, () => {
  failing("unreachable", {
    "before the answer": (socket) => socket.destroy(),
    "before the answer, politely": (socket) => socket.end(),
    "in the status line": breakOff("HTTP/1.1 2"),
    "in the headers": breakOff(`${OK}Content-Length: 47\r\n`),
    "before the body": breakOff(`${OK}Content-Length: 47\r\n\r\n`),
    "in the body": breakOff(`${OK}Content-Length: 47\r\n\r\n`, TOKEN.slice(0, 20)),
    "one byte short": breakOff(`${OK}Content-Length: 48\r\n\r\n${TOKEN}`),
    "before the last chunk": breakOff(chunked(TOKEN)),
    "before the last chunk, politely": answer(chunked(TOKEN)),
    "between informational answers": breakOff("HTTP/1.1 103 X\r\n\r\n"),
  });
});

describe("a server that is slow meets the deadline, however it keeps busy", { concurrency: 4 }, () => {
  failing(
    "timeout",
    {
      "no answer": () => {},
      "drops of the status line": drip("HTTP/1.1 200 ", "O"),
      "drops of a header": drip(`${OK}X: `, "a"),
      "drops of headers": drip(OK, "X: a\r\n"),
      "drops of informational answers": drip("HTTP/1.1 103 X\r\n\r\n", "HTTP/1.1 103 X\r\n\r\n", 120),
      "drops of a body": drip(`${OK}Content-Length: 4096\r\n\r\n`, "a"),
      "drops of a chunked body": drip(`${OK}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"),
      "drops of a chunk extension": drip(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, "a"),
      "the token and no end": drip(`${OK}\r\n${TOKEN}`, " "),
      "headers and no body": (socket) => socket.write(`${OK}Content-Length: 47\r\n\r\n`),
      "all but the last byte": (socket) => socket.write(`${OK}Content-Length: 48\r\n\r\n${TOKEN}`),
      "all but the last chunk": (socket) => socket.write(chunked(TOKEN)),
    },
    500,
  );
});

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

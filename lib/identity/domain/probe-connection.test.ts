import assert from "node:assert/strict";
import { connect as connectSocket, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import type { TlsOptions } from "node:tls";
import {
  addressesOf,
  answer,
  assertFails,
  listenTcp,
  listenTls,
  type Origin,
} from "#testing/outside/hostile-origin.ts";
import { TOKEN } from "#testing/outside/probed-origin.ts";
import { type Certificate, createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { connectTcp } from "./probe-connection.ts";
import { createProber, type ProbeResult } from "./prober.ts";

const good = answer(`HTTP/1.1 200 OK\r\nContent-Length: ${TOKEN.length}\r\n\r\n${TOKEN}`);

const authority = await createAuthority();
const stranger = await createAuthority();
const certificate = await authority.issue(["alpha.test"]);

async function probe(origin: Origin, { host = "alpha.test", ca = [authority.certPem], deadlineMs = 10_000 } = {}) {
  const prober = createProber({
    resolve: () => assert.fail("a development host is never resolved"),
    devHosts: new Map([[host, { address: "127.0.0.1", port: origin.port }]]),
    ca,
    deadlineMs,
  });
  const result = await prober.probe({ url: `https://${host}/x.txt`, expectedBody: TOKEN });
  await origin.drained();
  return result;
}

async function probeTls(shown: Certificate, settings: { host?: string; ca?: string[]; tls?: TlsOptions } = {}) {
  let requests = 0;
  const origin = await listenTls(
    shown,
    (socket, head) => {
      requests += 1;
      good(socket, head);
    },
    settings.tls,
  );
  return { result: await probe(origin, settings), requests };
}

describe("a certificate that proves the name is accepted", { concurrency: 2 }, () => {
  const accepted: [name: string, hosts: string[], host?: string][] = [
    ["for exactly the name", ["alpha.test"]],
    ["for several names", ["beta.test", "alpha.test"]],
    ["in another case", ["ALPHA.test"]],
    ["for a wildcard one label above", ["*.alpha.test"], "agent.alpha.test"],
    ["for an internationalised name", ["xn--bcher-kva.example"], "bücher.example"],
  ];
  for (const [name, hosts, host = "alpha.test"] of accepted) {
    it(name, async () => {
      const { result } = await probeTls(await authority.issue(hosts), { host: new URL(`https://${host}`).hostname });
      assert.deepEqual(result, { ok: true });
    });
  }
});

describe("a certificate that does not prove the name is refused before anything is asked", { concurrency: 2 }, () => {
  const refused: [
    name: string,
    shown: () => Promise<Certificate>,
    settings?: { host?: string; ca?: string[] },
    detail?: RegExp,
  ][] = [
    ["another name", () => authority.issue(["beta.test"]), {}, /for another name/],
    ["a name with the same beginning", () => authority.issue(["alpha.test.evil.example"])],
    ["a name that only ends alike", () => authority.issue(["notalpha.test"])],
    ["a sub-domain", () => authority.issue(["www.alpha.test"])],
    ["a wildcard below the name", () => authority.issue(["*.alpha.test"])],
    ["a wildcard over a top-level name", () => authority.issue(["*.test"])],
    ["a wildcard over everything", () => authority.issue(["*"])],
    ["a wildcard two labels above", () => authority.issue(["*.alpha.test"]), { host: "a.b.alpha.test" }],
    ["the address in place of the name", () => authority.issue(["127.0.0.1"])],
    ["no name at all", () => authority.issue([])],
    ["expired", () => authority.issue(["alpha.test"], { notAfter: new Date(Date.now() - 60_000) }), {}, /has expired/],
    ["self-signed", async () => stranger, {}, /self-signed/],
    ["signed by a stranger", () => stranger.issue(["alpha.test"]), {}, /known authority/],
    ["the trusted authority's own", async () => authority],
    ["signed by an authority that is not among the default ones", async () => certificate, { ca: [] }],
  ];
  for (const [name, shown, settings, detail = /\.$/] of refused) {
    it(name, async () => {
      const { result, requests } = await probeTls(await shown(), settings);
      assertFails(result, "tls");
      assert.match(result.ok ? "" : result.detail, detail);
      assert.equal(requests, 0);
    });
  }

  it("also where the environment switches the check off for others", async (t) => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    assertFails((await probeTls(await stranger.issue(["alpha.test"]))).result, "tls");
  });
});

describe("a server that does not agree on TLS is refused", { concurrency: 2 }, () => {
  const settings: Record<string, TlsOptions> = {
    "HTTP/2 alone": { ALPNProtocols: ["h2"] },
    "TLS 1.1 at most": { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
    "a certificate wanted from the client": { requestCert: true, rejectUnauthorized: true, maxVersion: "TLSv1.2" },
  };
  for (const [name, tls] of Object.entries(settings)) {
    it(name, async () => {
      const { result, requests } = await probeTls(certificate, { tls });
      assert.equal(result.ok, false);
      assert.match(result.reason, /^(tls|unreachable)$/);
      assert.equal(requests, 0);
    });
  }

  const speakers: Record<string, (socket: Socket) => void> = {
    "plain HTTP on the TLS port": (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    "plain HTTP before it is asked": (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${TOKEN}`),
    "the banner of another protocol": (socket) => socket.end("220 mail.example.com ESMTP\r\n"),
    "zero bytes": (socket) => socket.end(Buffer.alloc(1_000)),
    "a fatal alert": (socket) => socket.end(Buffer.from("15030300020228", "hex")),
    "its own hello sent back": (socket) => socket.once("data", (hello) => socket.end(hello)),
    "an end at once": (socket) => socket.end(),
    "a reset after the hello": (socket) => socket.once("data", () => socket.resetAndDestroy()),
  };
  for (const [name, speak] of Object.entries(speakers)) {
    it(name, async () => assertFails(await probe(await listenTcp(speak)), "tls"));
  }

  it("an immediate reset, before or after the connection is established", async () => {
    const result = await probe(await listenTcp((socket) => socket.resetAndDestroy()));
    assertFails(result, !result.ok && result.reason === "unreachable" ? "unreachable" : "tls");
  });

  it("a flood of bytes that are not TLS", async () => {
    const origin = await listenTcp((socket) => {
      const timer = setInterval(() => socket.write(Buffer.alloc(65_536, "a")), 1);
      socket.on("close", () => clearInterval(timer));
    });
    assertFails(await probe(origin), "tls");
  });
});

describe("a handshake that is slow meets the deadline", { concurrency: 2 }, () => {
  it("a server that accepts and says nothing", async () => {
    assertFails(await probe(await listenTcp(() => {}), { deadlineMs: 400 }), "timeout");
  });

  it("a server that sends the first half of a record", async () => {
    const origin = await listenTcp((socket) => socket.write(Buffer.from("160303", "hex")));
    assertFails(await probe(origin, { deadlineMs: 400 }), "timeout");
  });

  it("a server that lets a true handshake through byte by byte", async () => {
    const behind = await listenTls(certificate, good);
    const origin = await listenTcp((socket) => dripThrough(socket, behind.port));
    const result: ProbeResult = await probe(origin, { deadlineMs: 400 });
    assertFails(result, "timeout");
    await behind.drained();
  });
});

function dripThrough(socket: Socket, port: number): void {
  const upstream = connectSocket(port, "127.0.0.1");
  const waiting: number[] = [];
  const timer = setInterval(() => {
    const byte = waiting.shift();
    if (byte !== undefined) socket.write(Buffer.of(byte));
  }, 10);
  upstream.on("data", (chunk) => waiting.push(...chunk));
  upstream.on("error", () => {});
  socket.on("data", (chunk) => upstream.write(chunk));
  socket.on("close", () => {
    clearInterval(timer);
    upstream.destroy();
  });
}

describe("a domain that exists on this machine only", () => {
  const names = ["alpha.test", "agent.example.com"];
  /** Served under the authority of such domains, and under one that is trusted for public names. */
  let local: Origin;
  let trusted: Origin;
  before(async () => {
    local = await listenTls(await stranger.issue(names), good);
    trusted = await listenTls(await authority.issue(names), good);
  });
  after(() => Promise.all([local.drained(), trusted.drained()]));

  /** Checks a host; alpha.test is the only such domain, and every public address leads to `origin`. */
  function look(host: string, origin: Origin, pem = stranger.certPem) {
    const prober = createProber({
      resolve: addressesOf(...(host === "alpha.test" ? [] : ["93.184.216.34"])),
      devHosts: new Map(),
      ca: [authority.certPem],
      connect: () => connectTcp({ address: "127.0.0.1", port: origin.port }),
      local: (name) =>
        name === "alpha.test" && pem
          ? { address: "127.0.0.1", port: origin.port, authority: pem, remedy: "start it" }
          : undefined,
    });
    return prober.probe({ url: `https://${host}/proof.txt`, expectedBody: TOKEN });
  }

  it("is reached at its own port, under its own authority", async () => {
    assert.deepEqual(await look("alpha.test", local), { ok: true });
  });

  it("is refused under any other authority, even one that is trusted for public names", async () => {
    assert.deepEqual(await look("agent.example.com", trusted), { ok: true });
    assertFails(await look("alpha.test", trusted), "tls");
  });

  it("has an authority that is not trusted for any other name", async () => {
    assertFails(await look("agent.example.com", local), "tls");
  });

  it("is looked up like any other name before it has an authority", async () => {
    assertFails(await look("alpha.test", local, ""), "dns");
  });
});

import assert from "node:assert/strict";
import { Socket } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { loadEnv } from "#lib/kernel/env.ts";
import {
  addressesOf,
  answer,
  assertFails,
  listenTcp,
  listenTls,
  type Origin,
} from "#testing/outside/hostile-origin.ts";
import { PUBLIC_ADDRESSES } from "#testing/outside/special-addresses.ts";
import { createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { connectTcp, type Target } from "./probe-connection.ts";
import { createProber, type ProberOptions, type Resolve } from "./prober.ts";
import { adviceFor } from "./probing.ts";

const TOKEN = "ghv_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
const URL_OF_PROOF = "https://agent.example.com/.well-known/guildhall/agt_1234567890123456789012.txt";
const PUBLIC_V4 = "93.184.216.34";
const PUBLIC_V6 = "2606:4700::1111";

const authority = await createAuthority();
const certificate = await authority.issue(["agent.example.com"]);

let origin: Origin;
let attempts: Target[];

before(async () => {
  origin = await listenTls(certificate, answer(`HTTP/1.1 200 OK\r\n\r\n${TOKEN}`));
});
beforeEach(() => {
  attempts = [];
});
after(() => origin.drained());

/** Leads `working` to the good origin and the others to a port where nothing listens. */
const rerouted = (working: string[]) => (target: Target) => {
  attempts.push(target);
  return connectTcp({ address: "127.0.0.1", port: working.includes(target.address) ? origin.port : 1 });
};

function probe(options: Partial<ProberOptions>, signal?: AbortSignal) {
  const prober = createProber({
    resolve: addressesOf(PUBLIC_V4),
    devHosts: new Map(),
    ca: [authority.certPem],
    connect: rerouted([]),
    ...options,
  });
  return prober.probe({ url: URL_OF_PROOF, expectedBody: TOKEN, signal });
}

describe("the next address is tried where one does not accept", () => {
  const tried = () => attempts.map(({ address }) => address);

  it("of the same family", async () => {
    const result = await probe({
      resolve: addressesOf("1.1.1.1", "8.8.8.8", PUBLIC_V4),
      connect: rerouted([PUBLIC_V4]),
    });
    assert.deepEqual(result, { ok: true });
    assert.deepEqual(tried(), ["1.1.1.1", "8.8.8.8", PUBLIC_V4]);
  });

  it("of the other family, in turn", async () => {
    const resolve = addressesOf("1.1.1.1", "8.8.8.8", "9.9.9.9", PUBLIC_V6);
    assert.deepEqual(await probe({ resolve, connect: rerouted([PUBLIC_V6]) }), { ok: true });
    assert.deepEqual(tried(), ["1.1.1.1", PUBLIC_V6]);
  });

  it("until all have refused", async () => {
    assertFails(await probe({ resolve: addressesOf("1.1.1.1", PUBLIC_V6) }), "unreachable");
    assert.deepEqual(tried(), ["1.1.1.1", PUBLIC_V6]);
  });

  it("but no more than four, so that no name makes this service knock at many doors", async () => {
    const many = Array.from({ length: 500 }, (_, i) => `8.8.${Math.floor(i / 250)}.${i % 250}`);
    assertFails(await probe({ resolve: addressesOf(...many) }), "unreachable");
    assert.equal(attempts.length, 4);
  });

  it("after an address that never answers, while there is time", async () => {
    const connect = (target: Target) => (target.address === "1.1.1.1" ? new Socket() : rerouted([PUBLIC_V4])(target));
    const result = await probe({ resolve: addressesOf("1.1.1.1", PUBLIC_V4), connect, deadlineMs: 6_000 });
    assert.deepEqual(result, { ok: true });
  });

  it("not after one that accepts and then fails", async () => {
    const failing = await listenTcp((socket) => socket.end());
    const connect = () => connectTcp({ address: "127.0.0.1", port: failing.port });
    assertFails(await probe({ resolve: addressesOf("1.1.1.1", PUBLIC_V4), connect }), "tls");
    assert.equal(failing.connections, 1);
    await failing.drained();
  });
});

describe("a name that cannot be resolved is a failure of dns, and nothing is connected to", () => {
  const lost = (code: string) => Promise.reject(Object.assign(new Error(`queryA ${code} 10.0.0.53`), { code }));
  for (const code of ["ENOTFOUND", "ENODATA", "ESERVFAIL", "EREFUSED", "ETIMEOUT", "EBADRESP", "ECANCELLED"]) {
    it(code, async () => {
      assertFails(await probe({ resolve: () => lost(code) }), "dns");
      assert.deepEqual(attempts, []);
    });
  }
  it("no address", async () => assertFails(await probe({ resolve: addressesOf() }), "dns"));
});

describe("everything together has one deadline", () => {
  const deadlineMs = 300;
  const connect = () => new Socket();

  it("a resolver that neither answers nor listens", async () => {
    assertFails(await probe({ resolve: () => new Promise(() => {}), deadlineMs }), "timeout");
    assert.deepEqual(attempts, []);
  });
  it("a resolver that stops when it is aborted", async () => {
    const resolve: Resolve = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("cancelled"))));
    assertFails(await probe({ resolve, deadlineMs }), "timeout");
  });
  it("an address that never answers", async () => {
    assertFails(await probe({ connect, deadlineMs }), "timeout");
  });
  it("many addresses that never answer", async () => {
    const resolve = addressesOf(...PUBLIC_ADDRESSES.ipv4, ...PUBLIC_ADDRESSES.ipv6);
    assertFails(await probe({ resolve, connect, deadlineMs }), "timeout");
  });
});

describe("the caller may end a check", () => {
  it("before it begins", async () => {
    const signal = AbortSignal.abort(new Error("shutting down"));
    await assert.rejects(probe({}, signal), /shutting down/);
    assert.deepEqual(attempts, []);
  });
  it("while it waits", async () => {
    const controller = new AbortController();
    const connect = () => {
      setImmediate(() => controller.abort(new Error("shutting down")));
      return new Socket();
    };
    await assert.rejects(probe({ connect }, controller.signal), /shutting down/);
  });
});

it("an empty proof is never accepted", async () => {
  const prober = createProber({ resolve: addressesOf(PUBLIC_V4), devHosts: new Map() });
  for (const expectedBody of ["", " \n"]) {
    await assert.rejects(prober.probe({ url: URL_OF_PROOF, expectedBody }), TypeError);
  }
});

it("on one person's machine a name without a public address is answered with how to make a local domain", async () => {
  const look = async (baseUrl: string, ...addresses: string[]) => {
    const advice = adviceFor(loadEnv({ BASE_URL: baseUrl }));
    const prober = createProber({ resolve: addressesOf(...addresses), devHosts: new Map(), advice });
    const result = await prober.probe({ url: URL_OF_PROOF, expectedBody: TOKEN });
    return result.ok ? "" : result.detail;
  };
  const hint = /npm run dev-domain agent\.example\.com PORT\.$/;
  for (const addresses of [[], ["10.0.0.1"]]) {
    assert.match(await look("http://localhost:3000", ...addresses), hint);
    assert.doesNotMatch(await look("https://guildhall.example", ...addresses), hint);
  }
});

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import type { DevHosts } from "#lib/kernel/env/dev-hosts.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import {
  addressesOf,
  answer,
  assertFails,
  listenTcp,
  listenTls,
  type Origin,
} from "#testing/outside/hostile-origin.ts";
import { TOKEN, URL_PATH } from "#testing/outside/probed-origin.ts";
import { PUBLIC_ADDRESSES, SPECIAL_ADDRESSES } from "#testing/outside/special-addresses.ts";
import { createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { connectTcp, type Target } from "./probe-connection.ts";
import { createProber, type ProberOptions, type Resolve } from "./prober.ts";
import { adviceFor } from "./probing.ts";

const URL_OF_PROOF = `https://agent.example.com${URL_PATH}`;
const PUBLIC_V4 = "93.184.216.34";
const PUBLIC_V6 = "2606:4700::1111";

const authority = await createAuthority();
const certificate = await authority.issue(["alpha.test", "agent.example.com"]);

let decoy: Origin;
let origin: Origin;
let attempts: Target[];
let sockets = 0;
const countSocket = () => {
  sockets += 1;
};

before(async () => {
  decoy = await listenTcp((socket) => socket.end());
  origin = await listenTls(certificate, answer(`HTTP/1.1 200 OK\r\n\r\n${TOKEN}`));
  // Every TCP client socket of this process, however it is made.
  subscribe("net.client.socket", countSocket);
});
beforeEach(() => {
  attempts = [];
  sockets = 0;
});
after(async () => {
  unsubscribe("net.client.socket", countSocket);
  await Promise.all([decoy.drained(), origin.drained()]);
});

/** Leads `working` to the good origin, everything else to the decoy, and notes every attempt. */
function probe(
  options: Partial<ProberOptions>,
  {
    url = URL_OF_PROOF,
    working = [PUBLIC_V4],
    signal,
  }: { url?: string; working?: string[]; signal?: AbortSignal } = {},
) {
  const prober = createProber({
    resolve: () => assert.fail("nothing is to be resolved"),
    devHosts: new Map(),
    ca: [authority.certPem],
    connect: (target) => {
      attempts.push(target);
      const { port } = working.includes(target.address) ? origin : decoy;
      return connectTcp({ address: "127.0.0.1", port });
    },
    ...options,
  });
  return prober.probe({ url, expectedBody: TOKEN, signal });
}

/** Leads `working` to the good origin, and the others to a port where nothing listens. */
const rerouted = (working: string[]) => (target: Target) => {
  attempts.push(target);
  return connectTcp({ address: "127.0.0.1", port: working.includes(target.address) ? origin.port : 1 });
};

it("a document is read with the same precautions, up to its own length", async () => {
  const prober = createProber({
    resolve: addressesOf(PUBLIC_V4),
    devHosts: new Map(),
    ca: [authority.certPem],
    connect: () => connectTcp({ address: "127.0.0.1", port: origin.port }),
  });
  const read = (maxBytes: number) => prober.read({ url: "https://agent.example.com/card", maxBytes, accept: "*/*" });
  const whole = await read(TOKEN.length);
  assert.equal(whole.ok && whole.body.toString(), TOKEN);
  const short = await read(TOKEN.length - 1);
  assert.equal(!short.ok && short.reason, "too_large");
  const local = await createProber({ resolve: addressesOf("127.0.0.1"), devHosts: new Map() }).read({
    url: "https://agent.example.com/card",
    maxBytes: 10,
    accept: "*/*",
  });
  assert.equal(!local.ok && local.reason, "refused_address");
});

function assertNothingWasTouched(): void {
  assert.deepEqual({ attempts, sockets, decoy: decoy.connections }, { attempts: [], sockets: 0, decoy: 0 });
}

describe("a name that leads to a special address is refused, and nothing is connected to", () => {
  const special = [...SPECIAL_ADDRESSES.ipv4, ...SPECIAL_ADDRESSES.ipv6];
  // Alone, before and after a public address, and among both families.
  const answers = special.flatMap((ip, i) => {
    const arrangements = [[ip], [PUBLIC_V4, ip], [ip, PUBLIC_V6], [PUBLIC_V6, PUBLIC_V4, ip, "1.1.1.1"]];
    return [arrangements[0] ?? [], arrangements[1 + (i % 3)] ?? []];
  });
  for (const ips of answers) {
    it(ips.join(" "), async () => {
      assertFails(await probe({ resolve: addressesOf(...ips), ca: undefined }), "refused_address");
      assertNothingWasTouched();
    });
  }
  // One address has one spelling: anything that another reader could take differently is not public.
  const ambiguous = [
    ..."localhost example.com 8.8.8 8.8 8 134744072 2130706433 0x8.8.8.8 0x08080808 010.8.8.8 0177.0.0.1 127.1".split(
      " ",
    ),
    ..."8.8.8.08 8.8.8.8. .8.8.8.8 8.8.8.256 8.8.8.-1 8.8.8.8.8 8.8.8.8/32 8.8.8.8:443 ８.8.8.8 [2606:4700::1]".split(
      " ",
    ),
    ..."2606:4700::1%eth0 2606:4700::1%0 2606:4700:::1 2606:4700::1/128 2606:4700::1::2 2606:4700 fe80::1%lo".split(
      " ",
    ),
    ...["", " ", "8.8.8.8 ", " 8.8.8.8", "8.8.8.8\n", "2606:4700::1 ", "g606::1"],
  ];
  for (const text of ambiguous) {
    it(`a resolver that answers ${JSON.stringify(text)}`, async () => {
      assertFails(await probe({ resolve: addressesOf(text) }), "refused_address");
      assertNothingWasTouched();
    });
  }
  it("a bad address beyond the few that would be tried", async () => {
    assertFails(await probe({ resolve: addressesOf(...PUBLIC_ADDRESSES.ipv4, "127.0.0.1") }), "refused_address");
    assertNothingWasTouched();
  });
});

describe("a URL that does not name a public host on port 443 is refused before it is resolved", () => {
  const hosts = [
    ..."127.0.0.1 2130706433 0x7f000001 0177.0.0.1 127.1 0 [::1] [::ffff:127.0.0.1] [fd00::1] 8.8.8.8".split(" "),
    ..."[2606:4700::1111] 169.254.169.254 １２７.0.0.1 localhost a.localhost printer.local".split(" "),
    ..."metadata.google.internal nas.home.arpa metadata x.onion user@alpha.test user:pw@alpha.test".split(" "),
    ..."alpha.test@127.0.0.1 alpha.test:8443 alpha.test:22 alpha.test:80 127.0.0.1:443".split(" "),
  ];
  const urls = [
    ...hosts.map((host) => `https://${host}${URL_PATH}`),
    "http://alpha.test/",
    "ftp://alpha.test/",
    "x",
    "",
  ];
  for (const url of urls) {
    it(url.replace(URL_PATH, "/…"), async () => {
      // The waiver for a development host is for its name, not for another port or spelling.
      const devHosts: DevHosts = new Map([["alpha.test", { address: "127.0.0.1", port: decoy.port }]]);
      assertFails(await probe({ devHosts }, { url }), "refused_address");
      assertNothingWasTouched();
    });
  }
});

describe("a name is resolved once, and the connection goes to what was checked", () => {
  it("a name that answers differently the second time gains nothing", async () => {
    let asked = 0;
    const resolve: Resolve = async (host, signal) => {
      asked += 1;
      return addressesOf(asked === 1 ? PUBLIC_V4 : "127.0.0.1")(host, signal);
    };
    assert.deepEqual(await probe({ resolve }), { ok: true });
    assert.equal(asked, 1);
    assert.deepEqual(attempts, [{ address: PUBLIC_V4, port: 443 }]);
    assert.equal(sockets, 1);
  });

  it("the resolver is asked for the name in its normal form", async () => {
    const asked: string[] = [];
    const resolve: Resolve = async (host, signal) => {
      asked.push(host);
      return addressesOf(PUBLIC_V4)(host, signal);
    };
    assert.deepEqual(await probe({ resolve }, { url: `https://AGENT.Example.com.:443${URL_PATH}` }), { ok: true });
    assert.deepEqual(asked, ["agent.example.com"]);
  });

  for (const ip of [...PUBLIC_ADDRESSES.ipv4, ...PUBLIC_ADDRESSES.ipv6]) {
    it(`${ip} is connected to only on port 443`, async () => {
      assert.deepEqual(await probe({ resolve: addressesOf(ip) }, { working: [ip] }), { ok: true });
      assert.deepEqual(attempts, [{ address: ip, port: 443 }]);
    });
  }
});

describe("a development host is reached at its own place, and only by its own name", () => {
  const devHosts = (): DevHosts => new Map([["alpha.test", { address: "127.0.0.1", port: origin.port }]]);

  for (const url of [
    `https://alpha.test${URL_PATH}`,
    `https://ALPHA.test${URL_PATH}`,
    `https://alpha.test.${URL_PATH}`,
  ]) {
    it(url, async () => {
      assert.deepEqual(await probe({ devHosts: devHosts() }, { url, working: ["127.0.0.1"] }), { ok: true });
      assert.deepEqual(attempts, [{ address: "127.0.0.1", port: origin.port }]);
    });
  }
  for (const host of ["sub.alpha.test", "alpha.test.example", "xalpha.test", "alpha.tes", "lpha.test", "beta.test"]) {
    it(`${host} may not share its address`, async () => {
      const options = { devHosts: devHosts(), resolve: addressesOf("127.0.0.1"), connectPort: origin.port };
      assertFails(await probe(options, { url: `https://${host}${URL_PATH}` }), "refused_address");
      assertNothingWasTouched();
    });
  }
});

it("checks run in parallel without mixing", async () => {
  const resolve: Resolve = (host, signal) =>
    addressesOf(host === "bad.example.com" ? "10.0.0.1" : PUBLIC_V4)(host, signal);
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      probe({ resolve }, { url: `https://${i % 2 === 0 ? "agent" : "bad"}.example.com${URL_PATH}` }),
    ),
  );
  assert.deepEqual(
    results.map(({ ok }) => ok),
    results.map((_, i) => i % 2 === 0),
  );
});

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
    assertFails(await probe({ resolve: addressesOf("1.1.1.1", PUBLIC_V6), connect: rerouted([]) }), "unreachable");
    assert.deepEqual(tried(), ["1.1.1.1", PUBLIC_V6]);
  });

  it("but no more than four, so that no name makes this service knock at many doors", async () => {
    const many = Array.from({ length: 500 }, (_, i) => `8.8.${Math.floor(i / 250)}.${i % 250}`);
    assertFails(await probe({ resolve: addressesOf(...many), connect: rerouted([]) }), "unreachable");
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
    assertFails(await probe({ resolve: addressesOf(PUBLIC_V4), connect, deadlineMs }), "timeout");
  });
  it("many addresses that never answer", async () => {
    const resolve = addressesOf(...PUBLIC_ADDRESSES.ipv4, ...PUBLIC_ADDRESSES.ipv6);
    assertFails(await probe({ resolve, connect, deadlineMs }), "timeout");
  });
});

describe("the caller may end a check", () => {
  it("before it begins", async () => {
    const signal = AbortSignal.abort(new Error("shutting down"));
    await assert.rejects(probe({}, { signal }), /shutting down/);
    assert.deepEqual(attempts, []);
  });
  it("while it waits", async () => {
    const controller = new AbortController();
    const connect = () => {
      setImmediate(() => controller.abort(new Error("shutting down")));
      return new Socket();
    };
    await assert.rejects(
      probe({ resolve: addressesOf(PUBLIC_V4), connect }, { signal: controller.signal }),
      /shutting down/,
    );
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
    const result = await probe({ resolve: addressesOf(...addresses), advice });
    return result.ok ? "" : result.detail;
  };
  const hint = /npm run dev-domain agent\.example\.com PORT\.$/;
  for (const addresses of [[], ["10.0.0.1"]]) {
    assert.match(await look("http://localhost:3000", ...addresses), hint);
    assert.doesNotMatch(await look("https://guildhall.example", ...addresses), hint);
  }
});

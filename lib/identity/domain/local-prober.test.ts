import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { addressesOf, answer, assertFails, listenTls, type Origin } from "#testing/outside/hostile-origin.ts";
import { createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { connectTcp } from "./probe-connection.ts";
import { createProber } from "./prober.ts";

const TOKEN = "ghv_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
const [demoAuthority, otherAuthority] = [await createAuthority(), await createAuthority()];
const names = ["alpha.test", "agent.example.com"];

let demoOrigin: Origin;
let otherOrigin: Origin;
before(async () => {
  const proof = answer(`HTTP/1.1 200 OK\r\n\r\n${TOKEN}`);
  demoOrigin = await listenTls(await demoAuthority.issue(names), proof);
  otherOrigin = await listenTls(await otherAuthority.issue(names), proof);
});
after(() => Promise.all([demoOrigin.drained(), otherOrigin.drained()]));

/** Checks a host of the demo's prober; alpha.test is its only domain, and every public address leads to `origin`. */
function probe(host: string, origin: Origin, authority: () => string | undefined = () => demoAuthority.certPem) {
  const prober = createProber({
    resolve: addressesOf(...(host === "alpha.test" ? [] : ["93.184.216.34"])),
    devHosts: new Map(),
    ca: [otherAuthority.certPem],
    connect: () => connectTcp({ address: "127.0.0.1", port: origin.port }),
    local: (name) => {
      const pem = name === "alpha.test" ? authority() : undefined;
      return pem ? { address: "127.0.0.1", port: origin.port, authority: pem, remedy: "start it" } : undefined;
    },
  });
  return prober.probe({ url: `https://${host}/proof.txt`, expectedBody: TOKEN });
}

test("a domain of the demo is reached at its own port, under the demo's authority", async () => {
  assert.deepEqual(await probe("alpha.test", demoOrigin), { ok: true });
});

test("a domain of the demo is refused under any other authority, even one that is trusted for public names", async () => {
  assert.deepEqual(await probe("agent.example.com", otherOrigin), { ok: true });
  assertFails(await probe("alpha.test", otherOrigin), "tls");
});

test("the demo's authority is not trusted for any other name", async () => {
  assertFails(await probe("agent.example.com", demoOrigin), "tls");
});

test("before a demo has made its authority, its domains are looked up like any other name", async () => {
  assertFails(await probe("alpha.test", demoOrigin, () => undefined), "dns");
});

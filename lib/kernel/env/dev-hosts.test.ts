import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseDevHosts } from "./dev-hosts.ts";

describe("DEV_HOSTS is read into names and places", () => {
  it("takes several names, either family, any case and space between entries", () => {
    assert.deepEqual(
      [...parseDevHosts("Alpha.test=127.0.0.1:9443, beta.test=[::1]:1 ,gamma.example=10.0.0.7:65535,")],
      [
        ["alpha.test", { address: "127.0.0.1", port: 9443 }],
        ["beta.test", { address: "::1", port: 1 }],
        ["gamma.example", { address: "10.0.0.7", port: 65535 }],
      ],
    );
  });
  for (const text of ["", "  ", ","]) {
    it(`takes ${JSON.stringify(text)} as none`, () => assert.equal(parseDevHosts(text).size, 0));
  }
});

describe("a bad entry is named in the error", () => {
  const bad: [text: string, message: RegExp][] = [
    ["alpha.test", /has the entry "alpha\.test": write name=ip:port/],
    ["alpha.test=127.0.0.1", /write name=ip:port/],
    ["alpha.test=localhost:9443", /write name=ip:port/],
    ["alpha.test=127.1:9443", /write name=ip:port/],
    ["alpha.test=0177.0.0.1:9443", /write name=ip:port/],
    ["alpha.test=::1:9443", /write name=ip:port/],
    ["alpha.test=[127.0.0.1]:9443", /write name=ip:port/],
    ["alpha.test=[fe80::1%eth0]:9443", /write name=ip:port/],
    ["alpha.test=127.0.0.1:0", /write name=ip:port/],
    ["alpha.test=127.0.0.1:65536", /write name=ip:port/],
    ["alpha.test=127.0.0.1:9443;beta.test=127.0.0.1:9444", /write name=ip:port/],
    ["=127.0.0.1:9443", /write name=ip:port/],
    ["localhost=127.0.0.1:9443", /has the name "localhost", which must be a public name/],
    ["127.0.0.1=127.0.0.1:9443", /not an IP address/],
    ["alpha=127.0.0.1:9443", /must be a full domain name/],
    ["alpha.test:443=127.0.0.1:9443", /write name=ip:port/],
    ["alpha.test:8443=127.0.0.1:9443", /write name=ip:port/],
    ["alpha.test/x=127.0.0.1:9443", /write name=ip:port/],
    ["user@alpha.test=127.0.0.1:9443", /write name=ip:port/],
    ["alpha.test=127.0.0.1:1,ALPHA.test=127.0.0.1:2", /names "alpha\.test" twice/],
  ];
  for (const [text, message] of bad) it(text, () => assert.throws(() => parseDevHosts(text), message));
});

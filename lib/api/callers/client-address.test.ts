import assert from "node:assert/strict";
import { test } from "node:test";
import { loadEnv } from "#lib/kernel/env.ts";
import { clientAddress, isTrustedProxy } from "./client-address.ts";

/** The proxies that are trusted, the peer, what `X-Forwarded-For` says, and the address that counts. */
type Case = [proxies: string, peer: string | undefined, forwardedFor: string | null, address: string];

const RANGES = "10.0.0.0/8, 2001:db8::/32, ::ffff:192.0.2.0/120";
const isRange = (peer: string): Case => [RANGES, peer, "198.51.100.9", "198.51.100.9"];
const isOutside = (peer: string): Case => [RANGES, peer, "198.51.100.9", peer];
const isNone = (hop: string): Case => ["10.0.0.1", "10.0.0.1", `1.1.1.1, ${hop}`, "unknown"];

const CASES: Record<string, Case[]> = {
  "without a trusted proxy, the peer's address counts, whatever headers it sends": [
    ["", "192.0.2.1", "198.51.100.9", "192.0.2.1"],
    ["", "127.0.0.1", "198.51.100.9, 127.0.0.1", "127.0.0.1"],
  ],
  "behind a trusted proxy, the hop that it added counts, and what the client wrote does not": [
    ["10.0.0.1", "10.0.0.1", "198.51.100.9", "198.51.100.9"],
    ["10.0.0.1", "10.0.0.1", "1.1.1.1, 2.2.2.2, 198.51.100.9", "198.51.100.9"],
    ["10.0.0.1", "10.0.0.1", null, "10.0.0.1"],
  ],
  "a chain of trusted proxies is followed to the first hop that is not one": [
    ["10.0.0.1, 10.0.0.2", "10.0.0.1", "1.1.1.1, 198.51.100.9, 10.0.0.2", "198.51.100.9"],
    ["10.0.0.1, 10.0.0.2", "10.0.0.1", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
    [RANGES, "10.0.0.1", "1.1.1.1, 198.51.100.9, 10.2.3.4, 2001:db8:1::5", "198.51.100.9"],
  ],
  "an address has one spelling: IPv4 in IPv6 is IPv4, and IPv6 counts by its /64": [
    ["::ffff:10.0.0.1", "::ffff:192.0.2.1", null, "192.0.2.1"],
    ["::ffff:10.0.0.1", "10.0.0.1", "::ffff:192.0.2.7", "192.0.2.7"],
    ["", "2001:db8:1:2:3:4:5:6", null, "2001:db8:1:2::/64"],
    ["", "2001:DB8:1:2::1", null, "2001:db8:1:2::/64"],
    ["", "2001:db8:1:3::1", null, "2001:db8:1:3::/64"],
  ],
  "a range of proxies is trusted as a whole, and one address without its network": [
    ...["10.0.0.1", "10.255.1.2", "::ffff:10.9.9.9", "2001:db8:ffff::1", "192.0.2.200"].map(isRange),
    ...["11.0.0.1", "192.0.3.1", "127.0.0.1"].map(isOutside),
    ["2001:db8::1", "2001:db8::1", "198.51.100.9", "198.51.100.9"],
    ["2001:db8::1", "2001:db8::2", "198.51.100.9", "2001:db8:0:0::/64"],
  ],
  "a hop may include its port": [
    [RANGES, "10.0.0.1", "198.51.100.9:5678", "198.51.100.9"],
    [RANGES, "10.0.0.1", "198.51.100.9:5678, 10.0.0.2:80", "198.51.100.9"],
    ["10.0.0.0/8", "10.0.0.1", "[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["10.0.0.0/8", "10.0.0.1", "[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
  ],
  "text that is not an address is never trusted": [
    ...["unknown", "", "localhost", "198.51.100.9:", "[::1", "::1]:80", "1234", "0x7f.1", "<script>"].map(isNone),
    ["10.0.0.1", undefined, "1.1.1.1", "unknown"],
  ],
};

for (const [guarantee, cases] of Object.entries(CASES))
  test(guarantee, () => {
    for (const [proxies, peer, forwardedFor, address] of cases) {
      (globalThis as { guildhallEnv?: unknown }).guildhallEnv = loadEnv({ TRUSTED_PROXIES: proxies });
      assert.equal(clientAddress(peer, forwardedFor), address, `${proxies}; ${peer}; ${forwardedFor}`);
      const isTrusted = forwardedFor === "198.51.100.9" && address === forwardedFor;
      if (isTrusted) assert.ok(isTrustedProxy(peer), peer);
      else if (address === peer && proxies === RANGES) assert.ok(!isTrustedProxy(peer), peer);
    }
  });

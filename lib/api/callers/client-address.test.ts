import assert from "node:assert/strict";
import { test } from "node:test";
import { loadEnv } from "#lib/kernel/env.ts";
import { clientAddress, isTrustedProxy } from "./client-address.ts";

function trust(proxies: string): void {
  (globalThis as { guildhallEnv?: unknown }).guildhallEnv = loadEnv({ TRUSTED_PROXIES: proxies });
}

test("without a trusted proxy, the peer's address counts, whatever headers it sends", () => {
  trust("");
  assert.equal(clientAddress("192.0.2.1", "198.51.100.9"), "192.0.2.1");
  assert.equal(clientAddress("127.0.0.1", "198.51.100.9, 127.0.0.1"), "127.0.0.1");
});

test("behind a trusted proxy, the hop that it added counts, and what the client wrote does not", () => {
  trust("10.0.0.1");
  assert.equal(clientAddress("10.0.0.1", "198.51.100.9"), "198.51.100.9");
  assert.equal(clientAddress("10.0.0.1", "1.1.1.1, 2.2.2.2, 198.51.100.9"), "198.51.100.9");
  assert.equal(clientAddress("10.0.0.1", null), "10.0.0.1");
});

test("a chain of trusted proxies is followed to the first hop that is not one", () => {
  trust("10.0.0.1, 10.0.0.2");
  assert.equal(clientAddress("10.0.0.1", "1.1.1.1, 198.51.100.9, 10.0.0.2"), "198.51.100.9");
  assert.equal(clientAddress("10.0.0.1", "10.0.0.1, 10.0.0.2"), "10.0.0.1");
});

test("an address has one spelling: IPv4 in IPv6 is IPv4", () => {
  trust("::ffff:10.0.0.1");
  assert.equal(clientAddress("::ffff:192.0.2.1", null), "192.0.2.1");
  assert.equal(clientAddress("10.0.0.1", "::ffff:192.0.2.7"), "192.0.2.7");
});

test("IPv6 counts by its /64", () => {
  trust("");
  const address = clientAddress("2001:db8:1:2:3:4:5:6", null);
  assert.equal(clientAddress("2001:DB8:1:2::1", null), address);
  assert.notEqual(clientAddress("2001:db8:1:3::1", null), address);
});

test("a range of proxies is trusted as a whole, in IPv4 and IPv6", () => {
  trust("10.0.0.0/8, 2001:db8::/32, ::ffff:192.0.2.0/120");
  for (const proxy of ["10.0.0.1", "10.255.1.2", "::ffff:10.9.9.9", "2001:db8:ffff::1", "192.0.2.200"])
    assert.equal(clientAddress(proxy, "198.51.100.9"), "198.51.100.9", proxy);
  for (const other of ["11.0.0.1", "192.0.3.1", "127.0.0.1"])
    assert.equal(clientAddress(other, "198.51.100.9"), other, other);
  assert.equal(clientAddress("10.0.0.1", "1.1.1.1, 198.51.100.9, 10.2.3.4, 2001:db8:1::5"), "198.51.100.9");
  assert.equal(isTrustedProxy("10.3.0.1"), true);
  assert.equal(isTrustedProxy("198.51.100.9"), false);
});

test("a hop may include its port", () => {
  trust("10.0.0.0/8");
  assert.equal(clientAddress("10.0.0.1", "198.51.100.9:5678"), "198.51.100.9");
  assert.equal(clientAddress("10.0.0.1", "198.51.100.9:5678, 10.0.0.2:80"), "198.51.100.9");
  for (const hop of ["[2001:db8:1:2::1]:443", "[2001:db8:1:2::1]"])
    assert.equal(clientAddress("10.0.0.1", hop), "2001:db8:1:2::/64", hop);
});

test("a change of the configuration takes effect at once", () => {
  trust("");
  assert.equal(clientAddress("10.0.0.1", "198.51.100.9"), "10.0.0.1");
  trust("10.0.0.1");
  assert.equal(clientAddress("10.0.0.1", "198.51.100.9"), "198.51.100.9");
});

test("trusting one address does not trust its network", () => {
  trust("2001:db8::1");
  assert.equal(clientAddress("2001:db8::1", "198.51.100.9"), "198.51.100.9");
  assert.notEqual(clientAddress("2001:db8::2", "198.51.100.9"), "198.51.100.9");
});

test("text that is not an address is never trusted", () => {
  trust("10.0.0.1");
  for (const hop of ["unknown", "", "localhost", "198.51.100.9:", "[::1", "::1]:80", "1234", "0x7f.1", "<script>"])
    assert.equal(clientAddress("10.0.0.1", `1.1.1.1, ${hop}`), "unknown", hop);
  assert.equal(clientAddress(undefined, "1.1.1.1"), "unknown");
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PUBLIC_ADDRESSES, SPECIAL_ADDRESSES } from "#testing/outside/special-addresses.ts";
import { isPublicAddress } from "./addresses.ts";

describe("special-purpose addresses are never public", () => {
  for (const ip of [...SPECIAL_ADDRESSES.ipv4, ...SPECIAL_ADDRESSES.ipv6]) {
    it(ip, () => assert.equal(isPublicAddress(ip), false));
  }
});

describe("ordinary addresses are public, right up to the edge of a special range", () => {
  for (const ip of [...PUBLIC_ADDRESSES.ipv4, ...PUBLIC_ADDRESSES.ipv6]) {
    it(ip, () => assert.equal(isPublicAddress(ip), true));
  }
});

describe("one address has one spelling: anything that another reader could take differently is not public", () => {
  const ambiguous = [
    ...["", " ", "localhost", "example.com", "8.8.8", "8.8", "8", "134744072", "0x8.8.8.8", "0x08080808", "010.8.8.8"],
    ...["8.8.8.08", "8.8.8.8.", ".8.8.8.8", "8.8.8.8 ", " 8.8.8.8", "8.8.8.8\n", "8.8.8.256", "8.8.8.-1", "8.8.8.8.8"],
    ...[
      "8.8.8.8/32",
      "8.8.8.8:443",
      "８.8.8.8",
      "[2606:4700::1]",
      "2606:4700::1%eth0",
      "2606:4700::1%0",
      "2606:4700:::1",
    ],
    ...["2606:4700::1/128", "2606:4700::1::2", "2606:4700", "fe80::1%lo", "2606:4700::1 ", "g606::1"],
  ];
  for (const text of ambiguous) it(JSON.stringify(text), () => assert.equal(isPublicAddress(text), false));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson as serviceForm } from "#lib/kernel/canonical-json.ts";
import { fc } from "#lib/testing/seed.ts";
import { canonicalJson, sha256 } from "./canonical-json.ts";

test("keys are sorted by their UTF-16 code units, as in the example of RFC 8785", () => {
  const value = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  const order = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, text]) => text);
  assert.deepEqual(order, [
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

test("numbers and strings take the form of RFC 8785", () => {
  const value = {
    numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0],
    string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
    literals: [null, true, false],
  };
  assert.equal(
    canonicalJson(value),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test("any JSON value has the same canonical form here as in the service, which uses another implementation", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(JSON.stringify(value).isWellFormed());
      assert.equal(canonicalJson(value), serviceForm(value));
    }),
  );
});

test("what JSON cannot carry has no canonical form", () => {
  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, "\ud800", { "\udc00": 1 }, [undefined]]) {
    assert.throws(() => canonicalJson(value), TypeError);
  }
});

test("a hash is taken over UTF-8 bytes", () => {
  assert.equal(sha256("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256("é"), "sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
});

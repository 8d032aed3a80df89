import assert from "node:assert/strict";
import { test } from "node:test";
import canonicalize from "canonicalize";
import { fc } from "../../testing/seed.ts";
import { canonicalJson } from "./canonical-json.ts";

test("the examples of RFC 8785 have their published forms", () => {
  const value = JSON.parse(
    String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
  );
  assert.equal(
    canonicalJson(value),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
  const keys = { "€": 1, "\r": 2, "\ufb33": 3, 1: 4, "😀": 5, "\u0080": 6, ö: 7 };
  assert.equal(canonicalJson(keys), '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
});

test("any JSON value has the same canonical form as from another implementation", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      fc.pre(JSON.stringify(plain).isWellFormed());
      assert.equal(canonicalJson(plain), canonicalize(plain));
    }),
  );
});

test("what JSON cannot carry has no canonical form", () => {
  const values = [undefined, Number.NaN, Number.POSITIVE_INFINITY, "\ud800", { "\udc00": 1 }, [undefined], 1n];
  for (const value of [...values, new Date(0), new Map(), Symbol("s"), () => 1, Array(1)])
    assert.throws(() => canonicalJson(value), TypeError);
  assert.equal(canonicalJson({ a: undefined, b: 1 }), '{"b":1}');
});

test("numbers have the forms of RFC 8785, appendix B", () => {
  const vectors: [bits: string, text: string][] = [
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ];
  for (const [bits, text] of vectors) {
    assert.equal(canonicalJson(Buffer.from(bits, "hex").readDoubleBE()), text, bits);
  }
});

test("the canonical form keeps the value, is stable and ignores the order of keys", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary", noUnicodeString: false }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const text = canonicalJson(plain);
      assert.deepEqual(JSON.parse(text), plain);
      assert.equal(canonicalJson(JSON.parse(text)), text);
      assert.equal(canonicalJson(reversed(plain)), text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, reversed(entry)]),
  );
}

import assert from "node:assert/strict";
import { test } from "node:test";
import canonicalize from "canonicalize";
import { fc } from "../../lib/testing/seed.ts";
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
  for (const value of [...values, { a: undefined }, new Date(0), new Map(), Symbol("s"), () => 1, Array(1)])
    assert.throws(() => canonicalJson(value), TypeError);
});

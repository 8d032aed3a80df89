import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "./csv.ts";

test("a line holds its values, quoted where RFC 4180 asks for it", () => {
  assert.equal(
    csvLine(["a", 'say "hi"', "x,y", "two\nlines", null, true]),
    'a,"say ""hi""","x,y","two\nlines",,true\r\n',
  );
  assert.equal(csvLine([new Date(0), 12]), "1970-01-01T00:00:00.000Z,12\r\n");
});

test("no text becomes a formula, and negative numbers stay numbers", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
    assert.ok(csvLine([text]).replace(/^"/, "").startsWith("'"), JSON.stringify(text));
  assert.equal(csvLine([-500]), "-500\r\n");
});

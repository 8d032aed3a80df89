import assert from "node:assert/strict";
import { test } from "node:test";
import { ID_PREFIXES, idPattern, newId } from "./ids.ts";

test("an identifier is its prefix, an underscore and 22 characters of base58", () => {
  for (const prefix of ID_PREFIXES) {
    const id = newId(prefix);
    assert.match(id, /^[a-z]{3}_[1-9A-HJ-NP-Za-km-z]{22}$/);
    assert.match(id, idPattern(prefix));
  }
});

test("an ID matches only its own prefix", () => {
  for (const prefix of ID_PREFIXES)
    for (const other of ID_PREFIXES.filter((other) => other !== prefix))
      assert.doesNotMatch(newId(other), idPattern(prefix));
});

test("text of the wrong length or alphabet, or with other text around it, is not an ID", () => {
  const id = newId("tsk");
  const bad = [
    id.slice(0, -1),
    `${id}1`,
    ` ${id}`,
    `${id}\n`,
    id.toUpperCase(),
    id.replace(/.$/, "0"),
    id.replace("_", "-"),
  ];
  for (const text of bad) assert.doesNotMatch(text, idPattern("tsk"), JSON.stringify(text));
});

test("a hundred thousand identifiers are all different, and use the whole alphabet", () => {
  const ids = Array.from({ length: 100_000 }, () => newId("evt"));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(new Set(ids.map((id) => id.slice(4)).join("")).size, 58);
});

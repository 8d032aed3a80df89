import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { mentionsIn } from "./mentions.ts";

test("a mention is an @ and a whole public_id, anywhere in the text", () => {
  const [one, other] = [newId("agt"), newId("agt")];
  assert.deepEqual(mentionsIn(`@${one}`, `(@${other}), thanks!`), [one, other]);
  assert.deepEqual(mentionsIn(null, undefined, `line\n@${one}.`), [one]);
});

test("an agent that is mentioned twice is mentioned once", () => {
  const one = newId("agt");
  assert.deepEqual(mentionsIn(`@${one} @${one}`, `@${one}`), [one]);
});

test("what only looks like a mention is none", () => {
  const one = newId("agt");
  assert.deepEqual(
    mentionsIn(one, `@ ${one}`, `@${one}x`, `@${one}0`, `@${one.slice(0, -1)}`, `@${newId("pst")}`, "@agt_"),
    [],
  );
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { DESTINATIONS } from "./destinations.ts";
import { STEPS } from "./set-up-step.ts";

const PAGE = readFileSync(join(resolve(import.meta.dirname, "../../.."), "docs/payments.md"), "utf8");

test("the documented steps of setting up Stripe are those that the check prints, with its numbers, in its order", () => {
  const steps = [...PAGE.matchAll(/^(\d+)\. \*\*.*?\*\* \[(.*?)\]/gm)].flatMap(([, number, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, Number(number)]),
  );
  assert.deepEqual(steps, Object.entries(STEPS));
});

test("the documented event destinations send every event that the check requires", () => {
  for (const [name, { path, payload, events }] of Object.entries(DESTINATIONS)) {
    const row = PAGE.split("\n").find((line) => line.startsWith(`| \`${path}\``) && line.includes(`| ${payload} |`));
    assert.ok(row, name);
    const patterns = [...row.matchAll(/`([a-z0-9_.]+\*?)`/g)].map(([, pattern = ""]) => pattern);
    for (const type of events)
      assert.ok(
        patterns.some((each) => each === type || (each.endsWith("*") && type.startsWith(each.slice(0, -1)))),
        `${name}: ${type}`,
      );
  }
});

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../..");
const text = readFileSync(join(ROOT, "SECURITY.md"), "utf8");

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; they are numbered from 1. */
const SECTIONS: Record<string, number> = {
  ...{ "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1 },
  ...{ "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4 },
  ...{ "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4 },
  ...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1 },
  ...{ "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3 },
  ...{ "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1, "12.1": 3, "12.2": 2, "12.3": 4 },
  ...{ "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7 },
  ...{ "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4, "17.3": 2 },
};

const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+[^|]*) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, numbers = "", state = "", why = ""]) => ({ numbers, state, why }),
);

/** `1.2.6–1.2.8, 1.3.1` → each of the four. */
function each(numbers: string): string[] {
  return numbers.split(", ").flatMap((part) => {
    const [from = "", to = from] = part.split("–");
    const [section, first] = [from.slice(0, from.lastIndexOf(".")), Number(from.slice(from.lastIndexOf(".") + 1))];
    assert.equal(to.slice(0, to.lastIndexOf(".")), section, part);
    const last = Number(to.slice(to.lastIndexOf(".") + 1));
    return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
  });
}

test("the table of SECURITY.md has every ASVS requirement of levels 1 and 2 once", () => {
  const expected = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  const found = rows.flatMap(({ numbers }) => each(numbers));
  assert.equal(expected.length, 253);
  assert.deepEqual(found.sort(), expected.sort());
});

test("each row of the table says met, not met or not applicable, and why", () => {
  for (const { numbers, state, why } of rows) {
    assert.match(state, /^(Met|Not met|Not applicable)$/, numbers);
    assert.ok(why.length > 3, numbers);
  }
});

test("every file that SECURITY.md names exists", () => {
  const paths = [...text.matchAll(/`((?:lib|e2e|app|components|bench)\/[^`\s]*|[a-z-]+\.(?:ts|json))`/g)];
  assert.ok(paths.length > 50);
  const missing = paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(ROOT, path)));
  assert.deepEqual(missing, []);
});

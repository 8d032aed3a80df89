import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname, "..");

/** What a process with this TEST_SEED prints: its seed if it is not the default one, and numbers drawn by fast-check. */
function draw(seed: string): string[] {
  const code = `
    const { fc } = await import("#testing/seed.ts");
    console.log(JSON.stringify(fc.sample(fc.nat(), 5)));`;
  const env = { ...process.env, TEST_SEED: seed };
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    ...{ cwd: ROOT, env, encoding: "utf8" },
  });
  assert.equal(status, 0);
  return stdout.trim().split("\n");
}

test("without a seed every run draws the same, and a random run can be repeated with the seed that it prints", () => {
  assert.deepEqual(draw(""), draw(""));
  const [printed = "", drawn = ""] = draw("random");
  assert.match(printed, /^TEST_SEED=\d+$/);
  assert.deepEqual(draw(printed.slice("TEST_SEED=".length)), [printed, drawn]);
});

test("tests draw nothing at random except from the seed", () => {
  const pattern = "{app,bench,components,e2e,examples,lib,prisma,sdk,stripe-stand-in}/**/*.{test.ts,itest.ts,spec.ts}";
  const files = globSync([pattern, "testing/**/*.ts", "e2e/**/*.ts"], { cwd: ROOT });
  const offenders = files.filter((file) => {
    if (["testing/seed.ts", "testing/seed.test.ts"].includes(file)) return false;
    return /\bMath\.random\(\)|\brandomInt\(|from "fast-check"|seed[^\n]*\bDate\.now\(\)/i.test(
      readFileSync(join(ROOT, file), "utf8"),
    );
  });
  assert.deepEqual(offenders, []);
});

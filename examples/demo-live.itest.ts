import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runProgram } from "#testing/run-program.ts";

test("with --live the demo rehearses LIVE from checkout to payout on its own service, and says that it is a rehearsal", async () => {
  const { BASE_URL, DEV_HOSTS, DATA_DIR, ...env } = process.env;
  const program = join(import.meta.dirname, "demo.ts");
  const { code, output } = await runProgram(process.execPath, [program, "--live"], { env: env as NodeJS.ProcessEnv });
  assert.equal(code, 0, output);
  assert.match(output, /^REHEARSAL: .*No money moves\.$/m);
  assert.match(output, /^Settlement stl_\w{22}: approved, LIVE in rehearsal\. No money has moved\.$/m);
  for (const row of [
    /^ {2}net +£22\.50$/m,
    /^ {2}payout +paid$/m,
    /^ {2}transferred +£22\.50$/m,
    /^ {2}paid out +£22\.50$/m,
  ])
    assert.match(output, row);
  assert.ok(!/ghm_|sk_test_|whsec_/.test(output), "a secret is printed");
  const baseUrl = /Guildhall is ready at (http:[^\s,]+)/.exec(output)?.[1] ?? "";
  await assert.rejects(fetch(new URL("/healthz", baseUrl)), TypeError);
});

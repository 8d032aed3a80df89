import assert from "node:assert/strict";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { registerAgent } from "#testing/factories.ts";
import { firstSteps } from "./first-steps.ts";

testService();

test("the start says what to run next until somebody is registered", async () => {
  const url = "http://localhost:4000";
  const lines = (await firstSteps(url, { hasDemo: true, dataDir: "/srv/it's" })).join("\n");
  assert.match(lines, / DATA_DIR='\/srv\/it'\\''s' npm run demo$/m);
  assert.match(lines, / npm run demo -- --serve$/m);
  assert.match(lines, / npm run admin -- create you@example\.com$/m);
  assert.match(lines, / http:\/\/localhost:4000\/docs\/quick-start$/m);
  assert.doesNotMatch((await firstSteps(url, { hasDemo: false, dataDir: undefined })).join("\n"), /demo|DATA_DIR/);
  await registerAgent();
  assert.deepEqual(await firstSteps(url, { hasDemo: true, dataDir: undefined }), []);
});

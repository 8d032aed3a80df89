import assert from "node:assert/strict";
import { test } from "node:test";
import { closeDatabase } from "#lib/db/client.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { provingProber } from "#testing/client.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { newDir } from "#testing/processes/embedded-use.ts";
import { failOver } from "#testing/processes/failover.ts";

/** Tasks that are under way; `FAILOVER_FLOWS=600` for the long run. */
const FLOWS = Number(process.env.FAILOVER_FLOWS ?? 18);

/** Registers the parties in the primary, through this process. */
async function agents(url: string) {
  const variables = { DATABASE_URL: url, AUTH_SECRET: "a secret of this test, long enough", RATE_LIMIT_SCALE: "0" };
  Object.assign(process.env, variables);
  Object.assign(globalThis, { guildhallEnv: undefined });
  replaceProber(provingProber);
  try {
    return { requester: await registerAgent(), provider: await verifiedAgent() };
  } finally {
    replaceProber(undefined);
    await closeDatabase();
  }
}

test("if the primary of a synchronous pair dies under load, nothing acknowledged is lost, and all processes write again within 30 seconds", {
  timeout: 600_000,
}, async (t) => {
  const result = await failOver([newDir(), newDir()], FLOWS, agents, (line) => t.diagnostic(line));
  t.diagnostic(JSON.stringify(result));
  const { lost, surplus, problems, acknowledgedBefore, recoverySeconds } = result;
  assert.deepEqual({ lost, surplus, problems }, { lost: [], surplus: 0, problems: [] });
  assert.ok(acknowledgedBefore > 0);
  assert.ok(recoverySeconds < 30);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { VERBS } from "#testing/model/act.ts";
import { go, type Tally } from "#testing/model/course.ts";
import type { Stage } from "#testing/model/stage.ts";
import { newWorld } from "#testing/model/world.ts";
import { isDefaultSeed, SEED } from "#testing/seed.ts";

const COMMANDS = Number(process.env.MODEL_COMMANDS ?? 1_000);
const LENGTH = 250;

let stage: Stage;
testService({}, async () => {
  const { skills } = newWorld().agents.another;
  const agents = {
    requester: await verifiedAgent(),
    selected: await verifiedAgent(),
    another: await verifiedAgent({ skills }),
    stranger: await registerAgent(),
  };
  // The model knows no quotas: tasks of earlier ways may still be open.
  await pool().query("UPDATE identities SET task_quota = 10000");
  stage = { agents, earlierTasks: 0 };
});

test("whatever five parties do to several tasks at once, answers and states are those of an independent model", async (t) => {
  const tally: Tally = new Map();
  for (let done = 0; done < COMMANDS; done += LENGTH)
    await go(stage, `${SEED}.${done / LENGTH}`, Math.min(LENGTH, COMMANDS - done), tally);
  const ends = [...tally].map(([end, times]) => `${end} ${times}`).sort();
  t.diagnostic(`${COMMANDS} commands from seed ${SEED}: ${ends.join(", ")}`);
  // Only the usual choices are known to cover everything.
  if (COMMANDS < 1_000 || !isDefaultSeed) return;
  // These two are possible only after a month.
  const seldom: ReadonlySet<string> = new Set(["leave", "conclude"]);
  for (const verb of VERBS) assert.ok(seldom.has(verb) || tally.has(`${verb}: done`), `${verb} never succeeded`);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import { testService } from "#testing/client.ts";
import { explain, fixStatistics, statementsOf } from "#testing/plans.ts";
import { channelRows, nextOf } from "./deliver.ts";
import { forgetNotifications } from "./jobs.ts";

/** Twenty thousand channels with ten old notifications each; for a few something waits. */
const service = testService({}, async () => {
  await pool().query(
    `INSERT INTO owners (id, email, name, created_at) SELECT 'own_' || n, n || '@example.com', 'Owner', now() FROM generate_series(1, 20000) n`,
  );
  await pool().query(
    `INSERT INTO owner_channels (id, owner_id, kind, hint, address_digest, address, due_at, created_at)
     SELECT 'chn_' || n, 'own_' || n, 'push', 'H', '', '', now(), now() FROM generate_series(1, 20000) n`,
  );
  await pool().query(
    `INSERT INTO notifications (channel_id, kind, source, at, ended_at)
     SELECT 'chn_' || n, 'sign_in', k, now() - k * interval '1 day', CASE WHEN n % 2000 > 0 OR k > 5 THEN now() END
     FROM generate_series(1, 20000) n, generate_series(1, 10) k`,
  );
  await fixStatistics(service.ownerUrl);
  return undefined;
});

const now = new Date();
const CASES: [string, () => Promise<unknown>, string][] = [
  ["whether anything is due", () => channelRows.isAnyDue(now), "notifications_waiting"],
  ["what is due", () => channelRows.claim("test", now, "prompt", 32), "notifications_waiting"],
  ["what waits for a channel", () => nextOf("chn_2000", 20), "notifications_waiting"],
  ["what is forgotten", () => forgetNotifications(secondsAfter(now, -86_400 * 30)), "notifications_at_idx"],
];

for (const [what, work, index] of CASES)
  test(`${what} is read through an index, whatever was sent before`, async () => {
    const [statement] = await statementsOf(async () => void (await work()));
    assert.ok(statement);
    for (const kind of ["any", "these"] as const) {
      const nodes = await explain(pool(), statement, kind);
      assert.ok(
        nodes.some((node) => node.index === index),
        kind,
      );
      // There are no identities here, so the planner reads that table whole.
      const scanned = nodes
        .filter(({ type, relation }) => type === "Seq Scan" && relation !== "identities")
        .map(({ relation }) => relation);
      assert.deepEqual(scanned, [], kind);
    }
  });

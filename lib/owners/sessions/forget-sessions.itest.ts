import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { testService } from "#testing/client.ts";
import { signedInOwner } from "#testing/owner.ts";
import { forgetSessions } from "./forget-sessions.ts";

testService();

test("sessions that expired more than 30 days ago are deleted, however many; all others stay", async () => {
  const { ownerId } = await signedInOwner();
  await pool().query(
    `INSERT INTO owner_sessions (id_digest, id, owner_id, created_at, expires_at, last_used_at)
     SELECT sha256(n::text::bytea), 'ses_' || n, $1, now(), now() - CASE WHEN n <= 2500 THEN interval '31 days' ELSE interval '29 days' END, now()
     FROM generate_series(1, 2510) n`,
    [ownerId],
  );
  const count = async () => (await pool().query("SELECT count(*)::int AS count FROM owner_sessions")).rows[0].count;
  const all = await count();
  await forgetSessions({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_x" });
  assert.equal(await count(), all - 2_500);
});

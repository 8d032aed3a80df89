import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";

const add = statement(
  "rehearsal_finish",
  {},
  `SELECT FROM graphile_worker.add_job('finish-rehearsal', json_build_object('rehearsal_id', $1::text),
     job_key => 'rehearsal ' || $1 || ' ' || $2::text, run_at => $3::timestamptz)`,
);

/** Plans the job that judges or ends a rehearsal: at once after a submission, and at the end of its time. */
export async function enqueueFinish(tx: AnyTx, rehearsalId: string, at?: Date): Promise<void> {
  await add.on(connectionOf(tx), rehearsalId, at ? "end" : "result", at ?? null);
}

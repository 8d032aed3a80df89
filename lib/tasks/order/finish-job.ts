import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";
import { clip } from "#lib/kernel/text.ts";

const add = statement(
  "rehearsal_finish",
  {},
  `SELECT FROM graphile_worker.add_job('finish-rehearsal', json_build_object('rehearsal_id', $1::text, 'left', $4::text),
     job_key => 'rehearsal ' || $1 || ' ' || $2::text, run_at => $3::timestamptz)`,
);

type When = {
  /** The end of its time. */
  at?: Date;
  /** How the agent left it without a result, in words. */
  left?: string;
};

/** Plans the job that judges or ends a rehearsal: at once after a submission and where the agent leaves it, and at the end of its time. */
export async function enqueueFinish(tx: AnyTx, rehearsalId: string, { at, left }: When = {}): Promise<void> {
  await add.on(connectionOf(tx), rehearsalId, at ? "end" : left ? "left" : "result", at ?? null, left ?? null);
}

const MOST_CHARACTERS = 300;

/** How the agent left its rehearsal, with the reason that it gave. */
export const leftInWords = (how: string, reason: string | undefined) =>
  clip(reason ? `The agent ${how}: ${reason}` : `The agent ${how}.`, MOST_CHARACTERS);

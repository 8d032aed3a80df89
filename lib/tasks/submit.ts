import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { saltedHash } from "#lib/db/log-statement.ts";
import { type Connection, statement } from "#lib/db/statement.ts";
import { checkPartySignature } from "#lib/identity/party-signature.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { admit } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, viewAfter } from "./change.ts";
import type { SubmitInput } from "./schema.ts";

/**
 * Submits the result for the requester to review.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export function submitTask(ctx: ServiceContext, input: z.output<typeof SubmitInput>) {
  return stepTask(input.task_id, async (tx, found) => {
    const task = admit(ctx, found, "submit");
    const set = {
      result: input.result,
      resultUrl: input.result_url ?? null,
      evidenceHash: input.evidence_hash ?? null,
      changesReason: null,
      reviewEndsAt: await reviewEnd(tx, ctx, task.id),
    };
    const { hash, salt } = saltedHash(input.result);
    if (input.signature && !input.evidence_hash) throw invalidInput("evidence_hash", "is required with a signature");
    const signed = await checkPartySignature(
      ctx,
      input.signature,
      "guildhall.submit/1",
      task.id,
      input.evidence_hash ?? "",
    );
    const changes = await advance(tx, ctx, task, "submit", {
      set,
      data: input.evidence_hash ? { evidence_hash: input.evidence_hash } : {},
      log: {
        facts: { evidence_hash: input.evidence_hash ?? null, result_hash: hash, ...signed },
        textSalt: salt,
      },
    });
    return viewAfter(ctx, { ...task, ...changes });
  });
}

const DAY_SECONDS = 86_400;

const reviewDays = statement(
  "task.review_days",
  { days: db.nullable(db.integer) },
  "SELECT (terms ->> 'review_days')::int AS days FROM contracts WHERE task_id = $1 AND state = 'accepted'",
);

/** When the review of a result that is submitted now ends; null if the agreement has no review period. */
async function reviewEnd(tx: Connection, ctx: ServiceContext, taskId: string): Promise<Date | null> {
  const [agreed] = await reviewDays.on(tx, taskId);
  const days = agreed?.days;
  return days ? secondsAfter(ctx.clock.now(), days * DAY_SECONDS) : null;
}

import { audit } from "#lib/db/audit.ts";
import { nullable, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf, lightTransaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { gateTask } from "./actions.ts";
import { requireRole, requireState, requireVisible } from "./admit.ts";
import { stepTask, taskAfter } from "./change.ts";
import { taskEvent } from "./events.ts";
import { requireGates } from "./gates.ts";
import type { TaskRow } from "./row.ts";
import { requireTerms } from "./terms/check.ts";
import type { OfferReference, PreparedRow, PreparedTermsInput } from "./terms/schema.ts";

type Input = { task_id: string; terms: PreparedTermsInput | null; accept?: boolean | undefined };

/** What a task's row holds of these terms. @throws ApiError invalid_input where nothing could be accepted */
export function preparedFrom(
  { clock }: ServiceContext,
  {
    terms,
    accept = false,
    offer,
    rehearsal,
  }: {
    terms?: PreparedTermsInput | null | undefined;
    accept?: boolean | undefined;
    offer?: OfferReference | undefined;
    rehearsal?: true | undefined;
  },
): PreparedRow | null {
  if (terms)
    return {
      terms,
      accept,
      at: clock.now().toISOString(),
      ...(offer ? { offer } : {}),
      ...(rehearsal ? { rehearsal } : {}),
    };
  if (accept) throw invalidInput("accept", "needs terms, which are what would be accepted");
  return null;
}

/**
 * Sets or removes the terms that the next claim of an open task proposes.
 * @throws ApiError not_found, forbidden, invalid_input, task_expired, state_conflict, gate_refused
 */
export function prepareTerms(ctx: ServiceContext, input: Input) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    requireRole(ctx, task, "requester");
    const prepared = preparedFrom(ctx, input);
    if (prepared) requireTerms(ctx, task, prepared.terms, "terms.");
    requireState(ctx, task, ["open"]);
    const amountPence = prepared?.terms.amount_pence;
    // Owner limits are about what may be agreed; to remove terms agrees to nothing.
    requireGates(ctx.actor, "prepare", {
      ...gateTask(task, amountPence === undefined ? {} : { amountPence }),
      ...(prepared ? {} : { deal: undefined }),
    });
    await setPrepared(tx, ctx, task, prepared);
    return taskAfter(tx, ctx, task.id);
  });
}

const set = statement("task.prepare", {}, "UPDATE tasks SET prepared = $2::jsonb, updated_at = $3 WHERE id = $1");

/** Writes prepared terms into a task that the caller has locked, and records that. */
export async function setPrepared(
  tx: AnyTx,
  ctx: ServiceContext,
  task: TaskRow,
  prepared: PreparedRow | null,
): Promise<void> {
  await set.on(connectionOf(tx), task.id, prepared && JSON.stringify(prepared), ctx.clock.now());
  const facts = prepared
    ? { prepared: true, accept: prepared.accept, prepared_at: prepared.at }
    : { prepared: false, accept: false };
  await audit(tx, ctx, {
    action: "prepare",
    subjectKind: "task",
    subjectId: task.id,
    data: facts,
    event: taskEvent("task.prepared", task, facts, { facts }),
  });
}

const markTold = statement(
  "task.terms_stale",
  { requesterId: text, dueAt: nullable(text) },
  `UPDATE tasks SET prepared = prepared || '{"told":true}' WHERE id = $1 AND state = 'open' AND NOT prepared ? 'told'
   RETURNING requester_id AS "requesterId", prepared #>> '{terms,due_at}' AS "dueAt"`,
);

/** Tells the requester, once for each preparation, that its terms' due date has passed, so that nobody can claim the task. */
export function tellOfStaleTerms(ctx: ServiceContext, taskId: string): Promise<void> {
  return lightTransaction(async (tx) => {
    const [told] = await markTold.on(tx, taskId);
    if (!told) return;
    const data = { due_at: told.dueAt };
    const event = { type: "task.terms_stale", taskId, recipients: [told.requesterId], data } as const;
    await audit(tx, ctx, { action: "terms_stale", subjectKind: "task", subjectId: taskId, event });
  });
}

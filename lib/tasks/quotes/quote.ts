import type { z } from "zod";
import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import { audit } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import { type Attempt, fingerprint, once } from "#lib/db/idempotency.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx, takeLock } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { gateTask } from "../actions.ts";
import { requireState, requireVisible } from "../admit.ts";
import { changeTask } from "../change.ts";
import { requireGates } from "../gates.ts";
import { STEPS } from "../machine.ts";
import { seenState, type TaskRow } from "../row.ts";
import { requireTerms } from "../terms/check.ts";
import { quoteEvent } from "./events.ts";
import { quoteView, requireQuote } from "./read.ts";
import type { QuoteInput, QuoteWire } from "./schema.ts";
import { QUOTES_PER_TASK } from "./state.ts";

type Input = z.output<typeof QuoteInput>;

const DEFAULT_HOURS = 168;
/** Live quotes that an identity may have. */
export const QUOTES_PER_IDENTITY = 100;
/** Quotes of one identity for one task, replaced and withdrawn ones included: the requester is told of each. */
export const QUOTES_FOR_ONE_TASK = 20;

/**
 * Makes a quote for a task that is open to quotes. It replaces an earlier live one of the same provider.
 * @throws ApiError not_found, invalid_input, task_expired, state_conflict, gate_refused, quota_exceeded, request_id_conflict
 */
export function makeQuote(ctx: ServiceContext, input: Input) {
  return changeTask(ctx, input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    const work = () => quote(tx, ctx, task, input);
    const { client_request_id: key } = input;
    if (!key) return { quote: await work() };
    const attempt: Attempt = {
      actorId: ctx.actor.id,
      operation: "jobs/quote",
      key,
      at: ctx.clock.now(),
      fingerprint: fingerprint(input),
    };
    // A retry gets the first answer, even if nobody can make a quote any longer.
    return once(tx, attempt, 201, async () =>
      JSON.stringify({ ok: true, content_trust: "untrusted", quote: await work() }),
    );
  });
}

const counts = statement(
  "quote.counts",
  { ofTask: db.integer, ofProvider: db.integer, here: db.integer },
  `SELECT (SELECT count(*)::int FROM quotes q WHERE q.task_id = $2 AND q.provider_id <> $1 AND q.state <= 'chosen'
       AND q.expires_at > $3) AS "ofTask",
     (SELECT count(*)::int FROM quotes q JOIN tasks t ON t.id = q.task_id WHERE q.provider_id = $1 AND q.task_id <> $2
       AND q.state <= 'chosen' AND q.expires_at > $3 AND ${seenState("$3")} = 'open') AS "ofProvider",
     (SELECT count(*)::int FROM quotes q WHERE q.provider_id = $1 AND q.task_id = $2) AS here`,
);

const replace = statement(
  "quote.replace",
  {},
  "UPDATE quotes SET state = 'replaced' WHERE task_id = $1 AND provider_id = $2 AND state <= 'chosen'",
);

const insert = statement(
  "quote.insert",
  {},
  `INSERT INTO quotes (id, task_id, provider_id, amount_pence, note, due_at, expires_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

async function quote(tx: Tx, ctx: ServiceContext, task: TaskRow, input: Input): Promise<QuoteWire> {
  const { actor } = ctx;
  const now = ctx.clock.now();
  const { amount_pence: amountPence, due_at: dueAt } = input;
  requireTerms(ctx, task, { amount_pence: amountPence, due_at: dueAt });
  if (dueAt && new Date(dueAt) <= now) throw invalidInput("due_at", "must be in the future");
  requireState(ctx, task, STEPS.claim.from);
  if (task.openTo === "claims")
    throw stateConflict("This task is open to claims, not to quotes. Claim it with jobs/claim.php.");
  requireGates(actor, "quote", gateTask(task));
  if (task.selectedProviderId === actor.id)
    throw stateConflict("The requester has selected you. Claim the task with jobs/claim.php, or withdraw the quote.");
  const connection = connectionOf(tx);
  await takeLock(connection, ADVISORY_LOCKS.quotes("$1"), actor.id);
  const [count] = await counts.on(connection, actor.id, task.id, now);
  if ((count?.here ?? 0) >= QUOTES_FOR_ONE_TASK)
    throw tooMany("quotes_for_task", `You have made ${QUOTES_FOR_ONE_TASK} quotes for this task, the maximum.`);
  if ((count?.ofTask ?? 0) >= QUOTES_PER_TASK)
    throw tooMany("task_quotes", `This task has ${QUOTES_PER_TASK} live quotes, the maximum. Try again later.`);
  if ((count?.ofProvider ?? 0) >= QUOTES_PER_IDENTITY)
    throw tooMany("quotes", `You have ${QUOTES_PER_IDENTITY} live quotes, the maximum. Withdraw one of them first.`);
  await replace.on(connection, task.id, actor.id);
  const quoteId = newId("qte");
  const until = secondsAfter(now, (input.valid_hours ?? DEFAULT_HOURS) * 3_600);
  await insert.on(connection, quoteId, task.id, actor.id, amountPence, input.note, dueAt ?? null, until, now);
  const made = await requireQuote(tx, ctx, quoteId);
  const event = quoteEvent("quote.made", made, made.requesterId, { amount_pence: amountPence, provider: actor.id });
  await audit(tx, ctx, {
    action: "quote",
    subjectKind: "task",
    subjectId: task.id,
    data: { quote_id: quoteId },
    event,
  });
  return quoteView(made, now);
}

const tooMany = (reason: string, message: string) => new ApiError("quota_exceeded", message, { reason });

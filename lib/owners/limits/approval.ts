import { audit } from "#lib/db/audit.ts";
import { integer, nullable, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf, lightTransaction, type Tx } from "#lib/db/tx.ts";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, type GateResult, gateRefused } from "#lib/kernel/errors.ts";
import { overDay } from "./gate.ts";

const count = statement(
  "owner_spending.count",
  { counted: integer },
  `WITH spent AS (
     INSERT INTO owner_spending AS s (identity_id, day, pence) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)
     ON CONFLICT (identity_id, day) DO UPDATE SET pence = s.pence + excluded.pence
     WHERE $3::int IS NULL OR s.pence + excluded.pence <= $3 RETURNING day
   )
   UPDATE contracts SET counted_on = spent.day FROM spent WHERE id = $4 RETURNING 1 AS counted`,
);

type Agreement = { id: string; amountPence: number };

/**
 * Counts what an agent agrees to pay against the owner limit for the day (UTC), in the transaction that accepts. The row's lock
 * makes simultaneous acceptances, in any process, wait for each other.
 * @param actor with the limits that this transaction has locked (`withLockedLimits`), which its gates allow
 * @throws ApiError gate_refused
 */
export async function countSpending(tx: Tx, actor: ServiceActor, contract: Agreement): Promise<void> {
  if (await countedSpending(tx, actor, contract)) return;
  const limit = overDay(actor.ownerLimits?.perDayPence ?? 0);
  throw gateRefused([{ gate: "owner_limits", passed: false, ...limit }]);
}

/** The same for an acceptance that is left out if it does not fit. @returns whether it does */
export async function countedSpending(
  tx: Tx,
  { id, ownerLimits }: ServiceActor,
  contract: Agreement,
): Promise<boolean> {
  if (!ownerLimits || contract.amountPence === 0) return true;
  const counted = await count.on(connectionOf(tx), id, contract.amountPence, ownerLimits.perDayPence, contract.id);
  return counted.length > 0;
}

const uncount = statement(
  "owner_spending.uncount",
  {},
  `UPDATE owner_spending s SET pence = s.pence - c.amount_pence FROM contracts c
   WHERE c.id = $1 AND c.requester_prepared_at IS NOT NULL AND s.identity_id = c.requester_id AND s.day = c.counted_on`,
);

/**
 * Takes what was accepted in advance off its day again, once its agreement has been declined or has lapsed. The requester took no step:
 * otherwise providers could use up its day by claiming and declining.
 */
export async function uncountPrepared(tx: AnyTx, contractId: string): Promise<void> {
  await uncount.on(connectionOf(tx), contractId);
}

const askForContract = statement(
  "owner_approval.ask",
  { taskId: text, amount_pence: integer, provider: nullable(text), terms_hash: nullable(text) },
  `WITH deal AS (
     SELECT t.id AS task_id, coalesce($3::int, c.amount_pence) AS amount_pence, t.provider_id, c.terms_hash FROM tasks t
       LEFT JOIN contracts c ON c.task_id = t.id AND c.state < 'declined'
     WHERE t.requester_id = $1 AND t.id = coalesce((SELECT task_id FROM contracts WHERE id = $2), $2)
   )
   INSERT INTO owner_approvals AS a (identity_id, task_id, amount_pence, provider_id, terms_hash, requested_at)
   SELECT $1, task_id, amount_pence, provider_id, terms_hash, $4 FROM deal WHERE amount_pence IS NOT NULL AND provider_id IS NOT NULL
   ON CONFLICT (identity_id, task_id) DO UPDATE
     SET amount_pence = excluded.amount_pence, provider_id = excluded.provider_id, terms_hash = excluded.terms_hash,
       approved = NULL, requested_at = excluded.requested_at, decided_at = NULL
   WHERE (a.amount_pence, a.provider_id, a.terms_hash)
     IS DISTINCT FROM (excluded.amount_pence, excluded.provider_id, excluded.terms_hash)
   RETURNING task_id AS "taskId", amount_pence, provider_id AS provider, terms_hash`,
);

const bind = statement(
  "owner_approval.bind",
  {},
  `UPDATE owner_approvals SET terms_hash = $4
   WHERE identity_id = $1 AND task_id = $2 AND provider_id = $3 AND approved AND terms_hash IS NULL`,
);

/** An approval that a proposal has used is for its terms, and for no later ones. */
export async function bindApproval(
  tx: Tx,
  { id, ownerLimits }: ServiceActor,
  deal: { taskId: string; providerId: string; amountPence: number; termsHash: string },
): Promise<void> {
  if (ownerLimits?.askAbovePence == null || deal.amountPence <= ownerLimits.askAbovePence) return;
  await bind.on(connectionOf(tx), id, deal.taskId, deal.providerId, deal.termsHash);
}

/**
 * Runs a requester's step. If it needs the owner's approval, records the request.
 * @param subject ID of the task, or of a contract of it
 * @param amountPence what would be agreed; by default the contract's amount
 */
export async function askingOwner<Result>(
  ctx: ServiceContext,
  { subject, amountPence = null }: { subject: string; amountPence?: number | null },
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    // In a transaction of its own, because the step's transaction has been rolled back.
    if (error instanceof ApiError && waitsForOwner(error.details.gates ?? []))
      await lightTransaction((tx) => askOwner(tx, ctx, subject, amountPence));
    throw error;
  }
}

/** Whether one of these gates blocks until the owner has decided. */
export const waitsForOwner = (gates: readonly GateResult[]) => gates.some(({ reason }) => reason === "owner_approval");

/** Records what the caller's owner has to decide, unless it was asked the same before. */
export async function askOwner(
  tx: AnyTx,
  ctx: ServiceContext,
  subject: string,
  amountPence: number | null = null,
): Promise<void> {
  const [asked] = await askForContract.on(connectionOf(tx), ctx.actor.id, subject, amountPence, ctx.clock.now());
  if (!asked) return;
  const { taskId, ...data } = asked;
  await audit(tx, ctx, { action: "request_approval", subjectKind: "task", subjectId: taskId, data });
}

import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Context, OwnerContext } from "#lib/kernel/context.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import { lockLimits } from "./lock.ts";
import type { ApproveInput, LimitsInput, LimitsWire } from "./schema.ts";

const limitsOf = statement(
  "owner_limits.read",
  {
    perTaskPence: db.nullable(db.integer),
    perDayPence: db.nullable(db.integer),
    askAbovePence: db.nullable(db.integer),
    allowed: db.nullable(db.arrayOf(db.text)),
    blocked: db.nullable(db.arrayOf(db.text)),
    spentToday: db.bigint,
  },
  `SELECT o.per_task_pence AS "perTaskPence", o.per_day_pence AS "perDayPence", o.ask_above_pence AS "askAbovePence", o.allowed,
     o.blocked, coalesce(s.pence, 0) AS "spentToday"
   FROM identities i LEFT JOIN owner_limits o ON o.identity_id = i.id
     LEFT JOIN owner_spending s ON s.identity_id = i.id AND s.day = (now() AT TIME ZONE 'UTC')::date
   WHERE i.id = $1 AND i.owner_id = $2`,
);

const APPROVAL = {
  publicId: db.text.from("i.id"),
  name: db.text.from("i.name"),
  taskId: db.text.from("a.task_id"),
  title: db.text.from("t.title"),
  amountPence: db.integer.from("a.amount_pence"),
  paymentMode: db.paymentMode.from("t.payment_mode"),
  providerId: db.nullable(db.text).from("a.provider_id"),
  provider: db.nullable(db.text).from("p.name"),
  termsHash: db.nullable(db.text).from("a.terms_hash"),
  requestedAt: db.timestamp.from("a.requested_at"),
};
/** An amount that an agent has asked its owner for. */
type Approval = db.RowOf<typeof APPROVAL>;

export function viewApproval(row: Approval): LimitsWire["waiting"][number] {
  return {
    task_id: row.taskId,
    title: row.title,
    amount_pence: row.amountPence,
    payment_mode: row.paymentMode,
    provider_public_id: row.providerId,
    provider: row.provider,
    terms_hash: row.termsHash,
    requested_at: iso(row.requestedAt),
  };
}

const waitingWhere = (condition: string) =>
  `SELECT ${db.select(APPROVAL)}
   FROM identities i JOIN owner_approvals a ON a.identity_id = i.id JOIN tasks t ON t.id = a.task_id
     JOIN identities p ON p.id = a.provider_id AND p.id = t.provider_id
   WHERE ${condition} AND a.approved IS NULL
     AND (t.state = 'claimed' AND a.terms_hash IS NULL OR t.state IN ('proposed', 'accepted') AND EXISTS (
       SELECT FROM contracts c WHERE c.task_id = t.id AND c.state < 'declined' AND c.terms_hash = a.terms_hash))
   ORDER BY a.requested_at LIMIT 100`;
const waitingFor = statement("owner_limits.waiting", APPROVAL, waitingWhere("i.id = $1"));
const waitingForOwner = statement("owner_limits.all_waiting", APPROVAL, waitingWhere("i.owner_id = $1"));

/** What all of an owner's agents wait for the owner to approve, oldest first; at most 100. */
export const approvalsOf = (ownerId: string): Promise<Approval[]> => waitingForOwner(ownerId);

/**
 * The owner limits of one of the caller's agents, and the tasks that need approval.
 * @throws ApiError not_found if the agent is not the owner's, or has no service identity
 */
export function readLimits(ctx: Context<OwnerActor>, input: { public_id: string }): Promise<LimitsWire> {
  return limitsFor(ctx.actor.id, input);
}

/** The same for a page. @throws ApiError not_found */
export async function limitsFor(ownerId: string, input: { public_id: string }): Promise<LimitsWire> {
  const [row] = await limitsOf(input.public_id, ownerId);
  if (!row) throw notFound();
  const waiting = await waitingFor(input.public_id);
  return {
    limits: {
      public_id: input.public_id,
      per_task_pence: row.perTaskPence,
      per_day_pence: row.perDayPence,
      ask_above_pence: row.askAbovePence,
      allowed: row.allowed ?? [],
      blocked: row.blocked ?? [],
      spent_today_pence: Number(row.spentToday),
    },
    waiting: waiting.map(viewApproval),
  };
}

/**
 * Sets all limits of an agent at once. What it accepted earlier today counts too.
 * @throws ApiError forbidden with the reason `step_up_required`; not_found
 */
export async function saveLimits(ctx: OwnerContext, input: z.output<typeof LimitsInput>): Promise<LimitsWire> {
  requireRecentConfirmation(ctx);
  const { public_id: id, ...limits } = input;
  await transaction(async (tx) => {
    await lockOwned(tx, ctx, id);
    await lockLimits(tx, id);
    const data = {
      perTaskPence: limits.per_task_pence,
      perDayPence: limits.per_day_pence,
      askAbovePence: limits.ask_above_pence,
      allowed: [...new Set(limits.allowed)],
      blocked: [...new Set(limits.blocked)],
      updatedAt: ctx.clock.now(),
    };
    await tx.ownerLimits.upsert({ where: { identityId: id }, create: { identityId: id, ...data }, update: data });
    await tx.$executeRaw`
      WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day), counted AS (
        UPDATE contracts c SET counted_on = today.day FROM tasks t, today
        WHERE t.requester_id = ${id} AND c.task_id = t.id AND c.requester_accepted_at >= today.day AT TIME ZONE 'UTC'
          AND c.counted_on IS NULL AND (c.requester_prepared_at IS NULL OR c.state < 'declined')
        RETURNING c.amount_pence
      )
      INSERT INTO owner_spending AS s (identity_id, day, pence)
      SELECT ${id}, day, (SELECT coalesce(sum(amount_pence), 0) FROM counted) FROM today
      ON CONFLICT (identity_id, day) DO UPDATE SET pence = s.pence + excluded.pence`;
    await audit(tx, ctx, { action: "set_limits", subjectKind: "identity", subjectId: id, data: limits });
  });
  return readLimits(ctx, { public_id: id });
}

/**
 * Approves or refuses what an agent asked for.
 * @throws ApiError forbidden with the reason `step_up_required`; not_found; state_conflict if no request for this amount is open
 */
export async function decideApproval(ctx: OwnerContext, input: z.output<typeof ApproveInput>): Promise<LimitsWire> {
  requireRecentConfirmation(ctx);
  const { public_id: id, task_id: taskId, amount_pence: amountPence, decision } = input;
  const { provider_public_id: providerId, terms_hash: termsHash } = input;
  await transaction(async (tx) => {
    await lockOwned(tx, ctx, id);
    const [decided] = await tx.ownerApproval.updateManyAndReturn({
      where: {
        identityId: id,
        taskId,
        amountPence,
        approved: null,
        ...(providerId === undefined ? {} : { providerId }),
        ...(termsHash === undefined ? {} : { termsHash }),
      },
      data: { approved: decision === "approve", decidedAt: ctx.clock.now() },
    });
    if (!decided)
      throw stateConflict(
        "This request no longer exists, or its amount, provider or terms have changed. Reload and check it.",
      );
    await audit(tx, ctx, {
      action: decision === "approve" ? "approve_spending" : "refuse_spending",
      subjectKind: "identity",
      subjectId: id,
      data: { task_id: taskId, amount_pence: amountPence, provider: decided.providerId, terms_hash: decided.termsHash },
    });
  });
  return readLimits(ctx, { public_id: id });
}

async function lockOwned(tx: Tx, ctx: OwnerContext, id: string): Promise<void> {
  const owned = await tx.$executeRaw`
    SELECT 1 FROM identities WHERE id = ${id} AND owner_id = ${ctx.actor.id} FOR NO KEY UPDATE`;
  if (owned === 0) throw notFound();
}

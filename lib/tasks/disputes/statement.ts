import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { type Attempt, fingerprint, once } from "#lib/db/idempotency.ts";
import { saltedHash } from "#lib/db/log-statement.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { taskEvent } from "../events.ts";
import { requireGates } from "../gates.ts";
import { lockTask, type TaskRow } from "../row.ts";
import { disputeView, type WholeDispute } from "../view.ts";
import { disputeParties, STATEMENTS_PER_SIDE, sideOf, statementsLeft } from "./parties.ts";
import type { DisputeStatementInput, DisputeWire } from "./schema.ts";

type Input = z.output<typeof DisputeStatementInput>;

/**
 * Adds a party's statement to an open dispute. The task's lock puts the statements of a dispute into one order, and the database
 * refuses more than five a side as well.
 * @throws ApiError not_found (also for everyone but the dispute's parties), state_conflict (resolved), quota_exceeded (the sixth
 *   statement), gate_refused, request_id_conflict
 */
export function stateInDispute(ctx: ServiceContext, input: Input) {
  const { dispute_id: disputeId, client_request_id: key } = input;
  return transaction(async (tx) => {
    const known = await tx.dispute.findUnique({ where: { id: disputeId }, select: { taskId: true } });
    const task = known ? await lockTask(tx, known.taskId) : undefined;
    const dispute = task && (await tx.dispute.findUnique({ where: { id: disputeId } }));
    const side =
      dispute &&
      sideOf({ requesterId: task.requesterId, providerId: dispute.providerId ?? task.providerId }, ctx.actor.id);
    if (!side) throw notFound();
    const work = () => addStatement(tx, ctx, task, side, input);
    if (!key) return { dispute: await work() };
    const attempt: Attempt = {
      actorId: ctx.actor.id,
      operation: "jobs/dispute_statement",
      key,
      at: ctx.clock.now(),
      fingerprint: fingerprint(input),
    };
    // A retry gets the first answer, even if the dispute has been resolved since.
    return once(tx, attempt, 201, async () =>
      JSON.stringify({ ok: true, content_trust: "untrusted", dispute: await work() }),
    );
  });
}

async function addStatement(
  tx: Tx,
  ctx: ServiceContext,
  task: TaskRow,
  side: "requester" | "provider",
  { dispute_id: disputeId, statement }: Input,
): Promise<DisputeWire> {
  if (task.disputeId !== disputeId)
    throw stateConflict("This dispute has been resolved, so you cannot add statements.");
  if (statementsLeft(task, ctx.actor.id) <= 0) throw tooMany();
  // The identity's own gates only: an administrator who holds a task hears both sides before deciding.
  requireGates(ctx.actor, "dispute_statement");
  const { providerId } = disputeParties(task);
  const number = (task.requesterStatements ?? 0) + (task.providerStatements ?? 0) + 1;
  const createdAt = ctx.clock.now();
  const dispute: WholeDispute = await tx.dispute.update({
    where: { id: disputeId, state: "open" },
    data: {
      [`${side}Statements`]: { increment: 1 },
      providerId,
      statements: { create: { number, authorId: ctx.actor.id, statement, createdAt } },
    },
    include: { statements: { orderBy: { number: "asc" } } },
  });
  const { hash, salt } = saltedHash(statement);
  const facts = { dispute_id: disputeId, by: side };
  await audit(tx, ctx, {
    action: "dispute_statement",
    subjectKind: "task",
    subjectId: task.id,
    data: { dispute_id: disputeId, number },
    event: taskEvent(
      "dispute.statement",
      task,
      facts,
      { facts: { ...facts, statement_hash: hash }, textSalt: salt },
      providerId,
    ),
  });
  return disputeView(dispute);
}

function tooMany(): ApiError {
  return new ApiError(
    "quota_exceeded",
    `You have made ${STATEMENTS_PER_SIDE} statements in this dispute, the maximum. Wait for the administrator to resolve it.`,
    { reason: "dispute_statements" },
  );
}

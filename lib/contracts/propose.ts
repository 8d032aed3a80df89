import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import type { Contract, Prisma } from "#lib/db/generated/client.ts";
import { connectionOf, type Tx } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { askingOwner, bindApproval } from "#lib/owners/limits/approval.ts";
import { feePolicy } from "#lib/settlements/fee.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireRole, requireState, requireVisible } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { changeTask } from "#lib/tasks/change.ts";
import { keptFiles, namedView } from "#lib/tasks/files/rows.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { STEPS } from "#lib/tasks/machine.ts";
import type { TaskRow } from "#lib/tasks/row.ts";
import { requireTerms } from "#lib/tasks/terms/check.ts";
import type { OfferReference, ProposeInput, TermsInput } from "#lib/tasks/terms/schema.ts";
import { contractEvent } from "./events.ts";
import { freezeTerms } from "./terms.ts";
import { contractView } from "./view.ts";

type Input = z.output<typeof ProposeInput>;

/**
 * Proposes terms for a claimed task and freezes them. Neither party has accepted them yet.
 * @throws ApiError not_found, forbidden, invalid_input (amount above the budget), state_conflict, gate_refused
 */
export function proposeContract(ctx: ServiceContext, input: Input) {
  const deal = { subject: input.task_id, amountPence: input.amount_pence };
  return askingOwner(ctx, deal, () => propose(ctx, input));
}

function propose(ctx: ServiceContext, input: Input) {
  return changeTask(ctx, input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    requireRole(ctx, task, STEPS.propose.by);
    requireTerms(ctx, task, input);
    requireState(ctx, task, STEPS.propose.from);
    requireGates(ctx.actor, "propose", gateTask(task, { amountPence: input.amount_pence }));
    return { contract: contractView(await proposeTerms(tx, ctx, task, input), true) };
  });
}

/**
 * Freezes terms for a claimed task, which the caller has locked and admitted.
 * @param ctx the requester's
 * @param preparedAt when the requester prepared them, if it did so before the claim
 */
export async function proposeTerms(
  tx: Tx,
  ctx: ServiceContext,
  task: TaskRow,
  given: TermsInput & { offer?: OfferReference | undefined; rehearsal?: true | undefined },
  preparedAt?: string,
): Promise<Contract> {
  if (!task.providerId) throw new Error(`task ${task.id} has no provider`);
  const contractId = newId("con");
  const { terms, canonical, hash } = freezeTerms({
    contractId,
    taskId: task.id,
    requester: { public_id: task.requesterId, name: task.requesterName },
    provider: { public_id: task.providerId, name: task.providerName ?? "" },
    paymentMode: task.paymentMode,
    amountPence: given.amount_pence,
    scope: given.scope,
    acceptanceCriteria: given.acceptance_criteria,
    dataTerms: given.data_terms,
    dueAt: given.due_at,
    graceHours: given.grace_hours,
    reviewDays: given.review_days,
    offer: given.offer,
    rehearsal: given.rehearsal,
    feePolicy: feePolicy(env().liveMinPence),
    inputFiles: (await keptFiles.on(connectionOf(tx), task.id, "brief")).map(namedView),
  });
  const contract = await tx.contract.create({
    data: {
      id: contractId,
      taskId: task.id,
      requesterId: task.requesterId,
      providerId: task.providerId,
      paymentMode: task.paymentMode,
      amountPence: given.amount_pence,
      terms: terms as Prisma.InputJsonObject,
      termsCanonical: canonical,
      termsHash: hash,
      createdAt: ctx.clock.now(),
    },
  });
  await bindApproval(tx, ctx.actor, contract);
  const prepared = preparedAt === undefined ? {} : { prepared_at: preparedAt };
  await advance(tx, ctx, task, "propose", { data: { contract_id: contractId, terms_hash: hash, ...prepared } });
  await audit(tx, ctx, {
    action: "propose",
    subjectKind: "contract",
    subjectId: contractId,
    data: { terms_hash: hash, ...prepared },
    event: contractEvent(
      "contract.proposed",
      contract,
      { amount_pence: contract.amountPence, payment_mode: contract.paymentMode, ...prepared },
      prepared,
    ),
  });
  return contract;
}

import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { feePolicy } from "#lib/settlements/fee.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireRole, requireState, requireVisible } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { changeTask } from "#lib/tasks/change.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { STEPS } from "#lib/tasks/machine.ts";
import { askingOwner, bindApproval } from "#lib/tasks/owner-limits/approval.ts";
import { contractEvent } from "./events.ts";
import type { ProposeInput } from "./schema.ts";
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

/** Stripe holds money for at most 90 days: what is due later could not be paid. */
const MOST_DAYS_AHEAD = 60;

/** @throws ApiError invalid_input for what LIVE cannot hold or pay */
function requireLiveTerms({ clock }: ServiceContext, { amount_pence: pence, due_at: due }: Input): void {
  const { liveMinPence, liveMaxPence } = env();
  if (pence < liveMinPence) throw invalidInput("amount_pence", `must be at least ${liveMinPence} in LIVE`);
  if (pence > liveMaxPence) throw invalidInput("amount_pence", `must be at most ${liveMaxPence} in LIVE`);
  if (due && new Date(due) > secondsAfter(clock.now(), MOST_DAYS_AHEAD * 86_400))
    throw invalidInput(
      "due_at",
      `must be at most ${MOST_DAYS_AHEAD} days ahead in LIVE, because the money cannot be held for longer than 90 days`,
    );
}

function propose(ctx: ServiceContext, input: Input) {
  return changeTask(input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    requireRole(ctx, task, STEPS.propose.by);
    if (input.amount_pence > task.budgetPence)
      throw invalidInput("amount_pence", `must be at most the budget of ${task.budgetPence} pence`);
    const { liveMinPence: minimum } = env();
    if (task.paymentMode === "LIVE") requireLiveTerms(ctx, input);
    requireState(ctx, task, STEPS.propose.from);
    requireGates(ctx.actor, "propose", gateTask(task, input.amount_pence));
    if (!task.providerId) throw new Error(`task ${task.id} has no provider`);
    const contractId = newId("con");
    const { terms, canonical, hash } = freezeTerms({
      contractId,
      taskId: task.id,
      requester: { public_id: task.requesterId, name: task.requesterName },
      provider: { public_id: task.providerId, name: task.providerName ?? "" },
      paymentMode: task.paymentMode,
      amountPence: input.amount_pence,
      scope: input.scope,
      acceptanceCriteria: input.acceptance_criteria,
      dataTerms: input.data_terms,
      dueAt: input.due_at,
      reviewDays: input.review_days,
      feePolicy: feePolicy(minimum),
    });
    const contract = await tx.contract.create({
      data: {
        id: contractId,
        taskId: task.id,
        requesterId: task.requesterId,
        providerId: task.providerId,
        paymentMode: task.paymentMode,
        amountPence: input.amount_pence,
        terms: terms as Prisma.InputJsonObject,
        termsCanonical: canonical,
        termsHash: hash,
        createdAt: ctx.clock.now(),
      },
    });
    await bindApproval(tx, ctx.actor, contract);
    await advance(tx, ctx, task, "propose", { data: { contract_id: contractId, terms_hash: hash } });
    await audit(tx, ctx, {
      action: "propose",
      subjectKind: "contract",
      subjectId: contractId,
      data: { terms_hash: hash },
      event: contractEvent("contract.proposed", contract, {
        amount_pence: contract.amountPence,
        payment_mode: contract.paymentMode,
      }),
    });
    return { contract: contractView(contract, true) };
  });
}

import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { uncountPrepared } from "#lib/owners/limits/approval.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireProposed, requireState } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { STEPS } from "#lib/tasks/machine.ts";
import { contractEvent } from "./events.ts";
import { requireContractParty } from "./read.ts";
import { contractView } from "./view.ts";

/**
 * Declines the proposed terms. The task is claimed again, and the requester may propose other terms.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused
 */
export function declineContract(ctx: ServiceContext, input: { contract_id: string; reason: string }) {
  return transaction(async (tx) => {
    const { contract, task } = await requireContractParty(tx, ctx, input.contract_id);
    requireProposed(ctx, task, contract.state);
    requireState(ctx, task, STEPS.decline.from);
    requireGates(ctx.actor, "decline", gateTask(task));
    const declined = await tx.contract.update({
      where: { id: contract.id, state: "proposed" },
      data: { state: "declined", declinedAt: ctx.clock.now(), declinedBy: ctx.actor.id, declineReason: input.reason },
    });
    await uncountPrepared(tx, contract.id);
    await audit(tx, ctx, {
      action: "decline",
      subjectKind: "contract",
      subjectId: contract.id,
      reason: input.reason,
      event: contractEvent("contract.declined", declined, { by: ctx.actor.id, reason: input.reason }),
    });
    await advance(tx, ctx, task, "decline", { reason: input.reason, data: { contract_id: contract.id } });
    return { contract: contractView(declined, true) };
  });
}

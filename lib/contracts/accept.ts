import { audit } from "#lib/db/audit.ts";
import type { Contract } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { checkPartySignature } from "#lib/identity/party-signature.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { askingOwner, countSpending } from "#lib/owners/limits/approval.ts";
import { withLockedLimits } from "#lib/owners/limits/lock.ts";
import { recordSettlement } from "#lib/settlements/snapshot.ts";
import { recordedView } from "#lib/settlements/view.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireProposed, requireState } from "#lib/tasks/admit.ts";
import { advance } from "#lib/tasks/advance.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { STEPS } from "#lib/tasks/machine.ts";
import type { TaskRow } from "#lib/tasks/row.ts";
import { contractEvent } from "./events.ts";
import { requireContractParty } from "./read.ts";
import { contractView } from "./view.ts";

type Input = { contract_id: string; terms_hash: string; signature?: string | undefined };

/**
 * Accepts the frozen terms by their hash. The second acceptance concludes the agreement and records the settlement. Accepting
 * again, in any later state, returns the same answer, with the settlement as it was recorded; it changes nothing, except that a
 * requester which prepared its acceptance may sign it so.
 * @throws ApiError not_found, forbidden, terms_mismatch, state_conflict, gate_refused
 */
export function acceptContract(ctx: ServiceContext, input: Input) {
  return askingOwner(ctx, { subject: input.contract_id }, () => accept(ctx, input));
}

function accept(ctx: ServiceContext, input: Input) {
  return transaction(async (tx) => {
    const { contract, task } = await requireContractParty(tx, ctx, input.contract_id);
    if (input.terms_hash !== contract.termsHash) {
      throw new ApiError(
        "terms_mismatch",
        "This is not the hash of this contract's terms. Read the contract again before accepting.",
      );
    }
    const signed = await checkPartySignature(
      ctx,
      input.signature,
      "guildhall.accept/1",
      contract.id,
      contract.termsHash,
    );
    const mine = ctx.actor.id === contract.requesterId ? "requesterAcceptedAt" : "providerAcceptedAt";
    if (contract[mine]) {
      if (mine === "requesterAcceptedAt" && input.signature) await signPrepared(tx, ctx, { contract, task }, signed);
      return answer(tx, contract);
    }
    requireProposed(ctx, task, contract.state);
    requireState(ctx, task, STEPS.accept.from);
    const actor = await withLockedLimits(tx, ctx.actor);
    requireGates(actor, "accept", gateTask(task));
    if (mine === "requesterAcceptedAt") await countSpending(tx, actor, contract);
    const accepted = await recordAcceptance(tx, ctx, contract, mine, { facts: signed });
    if (accepted.state === "accepted") {
      await advance(tx, ctx, task, "accept", { data: { contract_id: contract.id } });
      await recordSettlement(tx, ctx, accepted);
    }
    return answer(tx, accepted);
  });
}

/**
 * Writes an acceptance that was admitted, and records it.
 * @param ctx of the party that accepts
 * @param preparedAt when the requester prepared its acceptance, if it did so before the claim
 */
export async function recordAcceptance(
  tx: Tx,
  ctx: ServiceContext,
  contract: Contract,
  mine: "requesterAcceptedAt" | "providerAcceptedAt",
  { facts = {}, preparedAt }: { facts?: Record<string, unknown>; preparedAt?: string } = {},
): Promise<Contract> {
  const both = contract.requesterAcceptedAt !== null || contract.providerAcceptedAt !== null;
  const accepted = await tx.contract.update({
    where: { id: contract.id, state: "proposed" },
    data: {
      [mine]: ctx.clock.now(),
      ...(both ? { state: "accepted" as const } : {}),
      ...(preparedAt ? { requesterPreparedAt: preparedAt } : {}),
    },
  });
  const prepared = preparedAt ? { acceptance: "prepared", prepared_at: preparedAt } : {};
  await audit(tx, ctx, {
    action: "accept",
    subjectKind: "contract",
    subjectId: contract.id,
    data: { terms_hash: contract.termsHash, ...prepared },
    event: contractEvent(
      "contract.accepted",
      accepted,
      { by: ctx.actor.id, ...prepared },
      { by: mine === "requesterAcceptedAt" ? "requester" : "provider", ...facts, ...prepared },
    ),
  });
  return accepted;
}

/** Adds the requester's signature to an acceptance that it had prepared, when there was no hash to sign yet. Again: changes nothing. */
async function signPrepared(
  tx: Tx,
  ctx: ServiceContext,
  { contract, task }: { contract: Contract; task: TaskRow },
  signed: Record<string, unknown>,
): Promise<void> {
  const isOver = contract.state !== "proposed" && contract.state !== "accepted";
  if (!contract.requesterPreparedAt || contract.requesterSignedAt || isOver) return;
  // The amount was counted against the owner's limits with the acceptance.
  requireGates(ctx.actor, "accept", { ...gateTask(task), deal: undefined });
  await tx.contract.update({ where: { id: contract.id }, data: { requesterSignedAt: ctx.clock.now() } });
  await audit(tx, ctx, {
    action: "sign",
    subjectKind: "contract",
    subjectId: contract.id,
    data: { terms_hash: contract.termsHash },
    event: contractEvent("contract.signed", contract, { by: ctx.actor.id }, { by: "requester", ...signed }),
  });
}

async function answer(tx: Tx, contract: Contract) {
  const settlement = await tx.settlement.findUnique({ where: { contractId: contract.id } });
  return { contract: contractView(contract, true), ...(settlement ? { settlement: recordedView(settlement) } : {}) };
}

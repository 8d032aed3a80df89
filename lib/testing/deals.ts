import assert from "node:assert/strict";
import { ApiError } from "#lib/kernel/errors.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import { catchUp, completedLive, type Live, type LiveWork, settlementOf, workerContext } from "./live.ts";
import { did, type Work } from "./workflow.ts";

// What tests of administrators' money acts have in common.

/** The usual amount of a LIVE deal in pence, and how it is divided. */
export const GROSS = 2_001;
export const NET = 1_800;
export const FEE = 201;

/** For `assert.rejects`: a refusal with this code. */
export const refused = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

export const idOf = async (work: Work): Promise<string> => (await settlementOf(work)).settlement_id;

/** A completed LIVE deal whose money has been sent to the provider. */
export async function sentLive(live: Live): Promise<LiveWork & { intent: string }> {
  const work = await completedLive(live);
  await catchUp(live);
  return work;
}

/** Lets the requester dispute a task. @returns the ID of the dispute */
export async function disputed(work: Work): Promise<string> {
  return String((await did(work.requester, "dispute", work)).dispute?.dispute_id);
}

/** The acts of a settlement at Stripe, as amounts: its refunds that have not failed, its reversals and its transfers. */
export function atStripe({ stripe }: Live, settlementId: string) {
  const { refunds, transfers } = stripe.world;
  const made = [...refunds.values()].filter(
    ({ metadata, status }) => metadata?.guildhall_settlement === settlementId && status !== "failed",
  );
  const sent = [...transfers.values()].filter(({ transfer_group }) => transfer_group === settlementId);
  return {
    refunds: made.map(({ amount }) => amount),
    reversals: sent.flatMap(({ reversals }) => reversals.data.map(({ amount }) => amount)),
    transfers: sent.map(({ amount }) => amount),
  };
}

/** Ledger and Stripe agree about everything so far. */
export async function assertAgreed(): Promise<void> {
  assert.deepEqual((await reconcile(workerContext())).differences, []);
}

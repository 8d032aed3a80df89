import { audit } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { loadMoneyFacts, refundableOf } from "./facts.ts";
import { orderAct } from "./order.ts";

/** A settlement returns its payment once: the act's ID follows from the settlement's. */
const returnIdOf = (settlementId: string) => `act_${settlementId.slice("stl_".length)}`;

/**
 * Orders the refund of everything that is left of a void settlement's payment, as an act of the system: in TEST it is booked at once, in
 * LIVE it is carried out like an administrator's. What is disputed by the payer's bank is left to an administrator. The caller holds the
 * task's lock.
 */
export async function returnPayment(tx: Tx, ctx: Context, settlement: Settlement): Promise<void> {
  if (settlement.funding !== "confirmed" || settlement.disputedPence > 0) return;
  const pence = refundableOf(await loadMoneyFacts(tx, settlement));
  if (pence === 0) return;
  const bySystem: Context = { ...ctx, actor: { kind: "system", id: "refund" } };
  const actId = returnIdOf(settlement.id);
  await audit(tx, bySystem, {
    action: "refund",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { act_id: actId, amount_pence: pence },
  });
  await orderAct(tx, bySystem, settlement, { actId, kind: "refund" }, [{ pence }]);
}

import { audit } from "#lib/db/audit.ts";
import type { MoneyActState } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { IS_OPEN } from "#lib/settlements/transfers.ts";

/** What has become of an act at Stripe. */
type News = { stripeId: string; state: MoneyActState & ("pending" | "done" | "failed"); problem?: string };

/**
 * Records what a refund or reversal at Stripe says about the act that it names, together with its booking. A second object that
 * names the same act changes nothing here; reconciliation reports it.
 */
export async function recordAct(
  tx: Tx,
  ctx: Context,
  id: string,
  settlementId: string,
  { stripeId, state, problem }: News,
): Promise<void> {
  const act = await tx.moneyAct.findUnique({ where: { id } });
  if (act?.settlementId !== settlementId || (act.stripeId !== null && act.stripeId !== stripeId)) return;
  if (act.stripeId === stripeId && act.state === state) return;
  const now = ctx.clock.now();
  await tx.moneyAct.update({
    where: { id },
    data: { stripeId, state, checkedAt: now, endedAt: state === "pending" ? null : now, problem: problem ?? null },
  });
  await audit(tx, ctx, {
    action: `${act.kind}_${state}`,
    subjectKind: "settlement",
    subjectId: settlementId,
    reason: problem ?? null,
    data: { act_id: act.actId, stripe_id: stripeId, amount_pence: act.amountPence },
  });
}

/** Ends an act that had no effect: Stripe refused it, or it is no longer possible. */
export async function failAct(tx: Tx, ctx: Context, id: string, problem: string): Promise<boolean> {
  const now = ctx.clock.now();
  const { count } = await tx.moneyAct.updateMany({
    where: { id, ...IS_OPEN, stripeId: null },
    data: { state: "failed", problem, checkedAt: now, endedAt: now },
  });
  if (count === 0) return false;
  const act = await tx.moneyAct.findUniqueOrThrow({ where: { id } });
  await audit(tx, ctx, {
    action: `${act.kind}_failed`,
    subjectKind: "settlement",
    subjectId: act.settlementId,
    reason: problem,
    data: { act_id: act.actId, amount_pence: act.amountPence },
  });
  return true;
}

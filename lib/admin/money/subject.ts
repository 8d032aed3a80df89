import type { MoneyAct, Settlement } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { lockStatus } from "#lib/identity/status-lock.ts";
import { env } from "#lib/kernel/env.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { log } from "#lib/kernel/log.ts";
import { performAct } from "#lib/payments/acts/perform.ts";
import { ProcessorError } from "#lib/payments/gateway/port.ts";
import { loadMoneyFacts, type MoneyFacts } from "#lib/settlements/acts/facts.ts";
import { lockTask } from "#lib/tasks/row.ts";
import type { AdminContext } from "../context.ts";
import { requireOthers } from "../own-subject.ts";
import type { Names } from "./words.ts";

export type Subject = { settlement: Settlement; facts: MoneyFacts; names: Names };

/** Runs a decision about a settlement under the locks of its task and its transfers. @throws ApiError not_found, forbidden */
export function onSettlement<Result>(
  ctx: AdminContext,
  settlementId: string,
  decide: (tx: Tx, subject: Subject) => Promise<Result>,
): Promise<Result> {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, settlementId);
    const known = await tx.settlement.findUnique({ where: { id: settlementId }, select: { taskId: true } });
    if (!known) throw notFound();
    // No transfer is sent between this decision and its commit.
    await lockStatus(tx, known.taskId);
    await lockTask(tx, known.taskId);
    const settlement = await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } });
    return decide(tx, {
      settlement,
      facts: await loadMoneyFacts(tx, settlement),
      names: await namesOf(tx, settlement),
    });
  });
}

export async function namesOf(
  tx: Pick<Tx, "identity">,
  { requesterId, providerId }: Pick<Settlement, "requesterId" | "providerId">,
): Promise<Names> {
  const found = await tx.identity.findMany({
    where: { id: { in: [requesterId, providerId] } },
    select: { id: true, name: true },
  });
  const names = new Map(found.map(({ id, name }) => [id, name.replaceAll(/\s+/g, " ")]));
  return { requester: names.get(requesterId) ?? requesterId, provider: names.get(providerId) ?? providerId };
}

/**
 * Carries out acts that were just recorded, so that the answer can say what came of them. What Stripe does not answer now is left
 * to the background work.
 */
export async function performNow(ctx: AdminContext, acts: MoneyAct[]): Promise<void> {
  if (!env().stripe) return;
  for (const { id } of acts)
    try {
      await performAct(ctx, id);
    } catch (error) {
      if (!(error instanceof ProcessorError)) throw error;
      log().warn({ act: id, kind: error.kind, code: error.code }, "an act is left to the background work");
    }
}

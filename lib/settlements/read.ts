import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { encodeCursor, page } from "#lib/kernel/cursor.ts";
import { loadHoldFacts } from "#lib/payments/hold-facts.ts";
import type { MySettlementsInput } from "./schema.ts";
import { settlementView } from "./view.ts";

const sums = statement<{ mode: "TEST" | "LIVE"; count: number; gross: string; fee: string; net: string }>(
  "settlement.totals",
  `SELECT payment_mode AS mode, count(*)::int AS count, sum(gross_pence) AS gross, sum(fee_pence) AS fee, sum(net_pence) AS net
   FROM settlements WHERE (requester_id = $1 OR provider_id = $1) AND state <> 'void' GROUP BY payment_mode`,
);

const none = { count: 0, gross_pence: 0, fee_pence: 0, net_pence: 0 };

/** The caller's settlements, newest first, and their totals per payment mode (without the void ones). */
export async function mySettlements(ctx: ServiceContext, input: z.output<typeof MySettlementsInput>) {
  const party = { OR: [{ requesterId: ctx.actor.id }, { providerId: ctx.actor.id }] };
  const [found, totals] = await Promise.all([
    prisma().settlement.findMany({
      where: {
        ...party,
        ...(input.contract_id ? { contractId: input.contract_id } : {}),
        ...(input.cursor ? { seq: { lt: BigInt(input.cursor) } } : {}),
      },
      orderBy: { seq: "desc" },
      take: input.limit + 1,
    }),
    sums(ctx.actor.id),
  ]);
  const { rows, nextCursor } = page(found, input.limit, input.cursor && encodeCursor(input.cursor));
  const holds = await loadHoldFacts(rows.flatMap(({ id, transfer }) => (transfer === "queued" ? [id] : [])));
  const perMode = Object.fromEntries(
    totals.map(({ mode, count, gross, fee, net }) => [
      mode,
      { count, gross_pence: Number(gross), fee_pence: Number(fee), net_pence: Number(net) },
    ]),
  );
  return {
    settlements: rows.map((row) => settlementView(row, holds.get(row.id))),
    totals: { TEST: none, LIVE: none, ...perMode },
    next_cursor: nextCursor,
  };
}

/** The settlement of a task, for pages that have shown that its reader is a party. */
export function findTaskSettlement(taskId: string) {
  return prisma().settlement.findFirst({ where: { taskId }, orderBy: { seq: "desc" } });
}

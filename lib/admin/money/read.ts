import { prisma } from "#lib/db/client.ts";
import type { MoneyAct } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import { settlementView } from "#lib/settlements/view.ts";
import type { MoneyActWire } from "../schema.ts";

/** Worst first: an act of several parts takes the state of its least advanced part. */
const ORDER = ["failed", "queued", "sending", "pending", "done"] as const;

/** The rows of one act, as the administrator who ordered it reads them. */
function actView(rows: MoneyAct[]): MoneyActWire | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const state = ORDER.find((each) => rows.some((row) => row.state === each)) ?? first.state;
  return {
    act_id: first.actId,
    kind: first.kind,
    settlement_id: first.settlementId,
    amount_pence: rows.reduce((sum, { amountPence }) => sum + amountPence, 0),
    state,
    problem: rows.find(({ problem }) => problem !== null)?.problem ?? null,
    created_at: iso(first.createdAt),
    ended_at: state === "done" || state === "failed" ? iso(first.endedAt) : null,
  };
}

/** What has become of sending: the transfer's own row says it. */
async function asSent(row: MoneyAct): Promise<MoneyAct> {
  const intent = row.transferId && (await prisma().transferIntent.findUnique({ where: { id: row.transferId } }));
  if (!intent) return row;
  const { state, problem, sentAt } = intent;
  return { ...row, state: state === "sent" ? "done" : state, problem, endedAt: sentAt };
}

/** The act of this ID and its settlement, as they are now. */
export async function readAct(actId: string) {
  const rows = await prisma().moneyAct.findMany({ where: { actId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  const shown = await Promise.all(rows.map((row) => (row.kind === "send_transfer" ? asSent(row) : row)));
  const act = actView(shown);
  const settlement = act && (await prisma().settlement.findUniqueOrThrow({ where: { id: act.settlement_id } }));
  return act && settlement ? { act, settlement: settlementView(settlement) } : {};
}

/** The acts about a settlement, oldest first. */
export async function readActsAbout(settlementId: string): Promise<MoneyActWire[]> {
  const rows = await prisma().moneyAct.findMany({
    where: { settlementId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const shown = await Promise.all(rows.map((row) => (row.kind === "send_transfer" ? asSent(row) : row)));
  return [...Map.groupBy(shown, ({ actId }) => actId).values()].flatMap((group) => actView(group) ?? []);
}

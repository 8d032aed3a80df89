import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import { newestFirst } from "#lib/db/list.ts";
import { Conditions, statements } from "#lib/db/statement.ts";
import { loadMoneyFacts } from "#lib/settlements/acts/facts.ts";
import { loadHoldFacts } from "#lib/settlements/hold-facts.ts";
import { settlementView } from "#lib/settlements/view.ts";
import { readActsAbout } from "../money/read.ts";
import type { SettlementsQuery } from "../schema.ts";

const SETTLEMENT = {
  id: db.text.from("s.id"),
  taskId: db.text.from("s.task_id"),
  title: db.text.from("t.title"),
  requesterId: db.text.from("s.requester_id"),
  requesterName: db.text.from("r.name"),
  providerId: db.text.from("s.provider_id"),
  providerName: db.text.from("p.name"),
  paymentMode: db.paymentMode.from("s.payment_mode"),
  state: db.settlementState.from("s.state"),
  funding: db.funding.from("s.funding"),
  transfer: db.transferState.from("s.transfer"),
  payout: db.payoutState.from("s.payout"),
  grossPence: db.integer.from("s.gross_pence"),
  feePence: db.integer.from("s.fee_pence"),
  netPence: db.integer.from("s.net_pence"),
  at: db.timestamp.from("s.recorded_at"),
};
export type ListedSettlement = db.RowOf<typeof SETTLEMENT>;

type Input = z.output<typeof SettlementsQuery>;
type Totals = Record<"TEST" | "LIVE", { count: number; grossPence: number; feePence: number; netPence: number }>;

const equals = (column: string) => (placeholder: string) => `${column} = ${placeholder}`;
const FILTERS = {
  id: equals("s.id"),
  task: equals("s.task_id"),
  contract: equals("s.contract_id"),
  party: (placeholder: string) => `(s.requester_id = ${placeholder} OR s.provider_id = ${placeholder})`,
  state: (placeholder: string) => `s.state = ${placeholder}::settlement_state`,
  mode: (placeholder: string) => `s.payment_mode = ${placeholder}::payment_mode`,
};
type Filter = keyof typeof FILTERS;

const BY_PREFIX: Record<string, Filter> = { stl: "id", tsk: "task", con: "contract" };

function wanted({ q, state, payment_mode: mode }: Input): Partial<Record<Filter, string>> {
  // Any other text is compared with the parties' IDs, and matches nothing.
  const search = q === undefined ? {} : { [BY_PREFIX[q.split("_", 1)[0] ?? ""] ?? "party"]: q };
  return { ...search, ...(state && { state }), ...(mode && { mode }) };
}

const readSettlements = newestFirst({
  name: "admin_settlements",
  table: "settlements",
  alias: "s",
  scope: "true",
  columnJoins: `JOIN tasks t ON t.id = s.task_id JOIN identities r ON r.id = s.requester_id
    JOIN identities p ON p.id = s.provider_id`,
  columns: SETTLEMENT,
  filters: FILTERS,
});

const sums = statements("admin_settlement_totals", {
  mode: db.paymentMode,
  count: db.integer,
  gross: db.bigint,
  fee: db.bigint,
  net: db.bigint,
});

/** Settlements, newest first, found by the ID of a settlement, task, agreement or party. */
export const listSettlements = (input: Input) => readSettlements(input, wanted(input));

/** The totals per mode of all settlements that match, less what went back. Void ones are left out unless a state is given. */
export async function readTotals(input: Input): Promise<Totals> {
  const conditions = new Conditions();
  for (const [name, value] of Object.entries(wanted(input)))
    conditions.add(name, FILTERS[name as Filter](conditions.value(value)));
  if (!input.state) conditions.add("not void", "s.state <> 'void'");
  const rows = await sums(
    conditions.variant,
    () => `SELECT s.payment_mode AS mode, count(*)::int AS count,
      sum(greatest(s.gross_pence - s.refunded_pence - s.disputed_pence, 0)) AS gross,
      sum(s.fee_pence - s.fee_unwound_pence) AS fee, sum(s.net_pence - s.net_unwound_pence) AS net FROM settlements s ${conditions.where} GROUP BY s.payment_mode`,
  )(...conditions.values);
  const none = { count: 0, grossPence: 0, feePence: 0, netPence: 0 };
  const found = rows.map(({ mode, count, gross, fee, net }) => [
    mode,
    { count, grossPence: Number(gross), feePence: Number(fee), netPence: Number(net) },
  ]);
  return { TEST: none, LIVE: none, ...Object.fromEntries(found) };
}

/** One settlement with its payments, transfer and ledger bookings; undefined if it does not exist. */
export async function findSettlement(settlementId: string) {
  const found = await prisma().settlement.findUnique({
    where: { id: settlementId },
    include: {
      task: { select: { title: true } },
      ledger: { orderBy: { id: "asc" }, include: { entries: { orderBy: { id: "asc" } } } },
      contract: {
        select: {
          payments: { orderBy: { createdAt: "asc" }, include: { losses: { orderBy: { createdAt: "asc" } } } },
        },
      },
      transferIntents: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
    },
  });
  if (!found) return undefined;
  const [facts, parties] = await Promise.all([
    loadHoldFacts([settlementId]),
    prisma().identity.findMany({
      where: { id: { in: [found.requesterId, found.providerId] } },
      select: { id: true, name: true },
    }),
  ]);
  const { ledger, task, contract } = found;
  return {
    settlement: settlementView(found, facts.get(settlementId)),
    title: task.title,
    names: new Map(parties.map(({ id, name }) => [id, name])),
    payments: contract.payments,
    transfers: found.transferIntents,
    money: await loadMoneyFacts(prisma(), found),
    acts: await readActsAbout(settlementId),
    bookings: ledger.map(({ id, kind, at, entries }) => ({
      id: String(id),
      kind,
      at,
      entries: entries.map(({ account, amountPence }) => ({ account, amountPence })),
    })),
  };
}

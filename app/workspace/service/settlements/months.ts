import type { SettlementWire } from "#lib/settlements/schema.ts";

export type Mode = SettlementWire["payment_mode"];
/** Sums of one calendar month in UTC, `2026-11`, in pence. */
export type Month = { month: string; count: number; earned: number; spent: number };

/** Adds settlements to the sums of their months: what was earned is net, what was spent is gross. Void ones do not count. */
export function addUp(
  months: Map<string, Month>,
  settlements: readonly SettlementWire[],
  mode: Mode,
  own: string,
): void {
  for (const each of settlements) {
    if (each.payment_mode !== mode || each.state === "void") continue;
    const month = each.recorded_at.slice(0, 7);
    const sums = months.get(month) ?? { month, count: 0, earned: 0, spent: 0 };
    sums.count += 1;
    if (each.provider_public_id === own) sums.earned += each.net_pence;
    else sums.spent += each.gross_pence;
    months.set(month, sums);
  }
}

/** Every month from the first to the last that has any, the empty ones between them too; of many the newest `most`. */
export function inOrder(months: ReadonlyMap<string, Month>, most: number): Month[] {
  const known = [...months.keys()].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return [];
  const all: Month[] = [];
  for (let month = first; month <= last; month = monthAfter(month)) {
    all.push(months.get(month) ?? { month, count: 0, earned: 0, spent: 0 });
  }
  return all.slice(-most);
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

import type { SettlementWire } from "#lib/settlements/schema.ts";

export type Mode = SettlementWire["payment_mode"];
/** Sums of one calendar month in UTC, `2026-11`, in pence. */
export type Month = { month: string; count: number; earned: number; spent: number };

/** Adds settlements to the sums of their months: net for earned, gross for spent, less what went back. Void ones are skipped. */
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
    if (each.provider_public_id === own) sums.earned += each.earned_pence;
    else sums.spent += Math.max(0, each.gross_pence - each.refunded_pence - each.disputed_pence);
    months.set(month, sums);
  }
}

/** Every month from the first with settlements to the last, including empty ones between them; at most the newest `most`. */
export function inOrder(months: ReadonlyMap<string, Month>, most: number): Month[] {
  const known = [...months.keys()].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return [];
  const all: Month[] = [];
  for (let month = first; month <= last; month = monthsFrom(month, 1)) {
    all.push(months.get(month) ?? { month, count: 0, earned: 0, spent: 0 });
  }
  return all.slice(-most);
}

/** The same months, preceded by empty ones until there are at least `least`, so that a chart of few months still shows a timeline. */
export function withEmptyBefore(months: readonly Month[], least: number): Month[] {
  const all = [...months];
  while (all[0] && all.length < least) {
    all.unshift({ month: monthsFrom(all[0].month, -1), count: 0, earned: 0, spent: 0 });
  }
  return all;
}

function monthsFrom(month: string, offset: number): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + offset, 1)).toISOString().slice(0, 7);
}

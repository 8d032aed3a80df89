import type { Refusal } from "#components/form/refusal.tsx";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { read } from "../connection/service-call.ts";
import type { SettlementPage } from "../task/task-resource.ts";

const COLUMNS = [
  "settlement_id",
  "recorded_at",
  "payment_mode",
  "simulated",
  "is_charge",
  "state",
  "funding",
  "transfer",
  "payout",
  "currency",
  "gross_pence",
  "fee_pence",
  "net_pence",
  "refunded_pence",
  "disputed_pence",
  "earned_pence",
  "task_id",
  "contract_id",
  "requester_public_id",
  "provider_public_id",
  "funded_at",
  "approved_at",
  "voided_at",
  "transferred_at",
  "paid_out_at",
] as const satisfies readonly (keyof SettlementWire)[];

export const FORMATS = {
  csv: { type: "text/csv", head: `${COLUMNS.join(",")}\r\n`, line: csvLine },
  jsonl: {
    type: "application/jsonl",
    head: "",
    line: (settlement: SettlementWire) => `${JSON.stringify(settlement)}\n`,
  },
} as const;

export type Format = keyof typeof FORMATS;

/** A CSV line (RFC 4180). No value can begin like a formula: they are all IDs, fixed words, whole numbers and times. */
function csvLine(settlement: SettlementWire): string {
  return `${COLUMNS.map((column) => quoted(settlement[column])).join(",")}\r\n`;
}

function quoted(value: string | number | boolean | null): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const PAGE = 100;
const MAX_ATTEMPTS = 5;

const wait = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

/**
 * Reads all settlements, newest first, and passes each page to `take`. It respects `Retry-After`, and ends early when `isWanted` returns
 * false. Returns the refusal that stopped it, or null.
 */
export async function walkSettlements(
  take: (page: readonly SettlementWire[]) => void,
  isWanted: () => boolean,
): Promise<Refusal | null> {
  let cursor: string | undefined;
  let failures = 0;
  while (isWanted()) {
    const outcome = await read<SettlementPage>("settlements/mine.php", { cursor, limit: PAGE });
    if (!outcome.ok) {
      failures += 1;
      const { status, retryAfterSeconds } = outcome.refusal;
      const mayPass = status === 0 || status === 429 || status >= 500;
      if (!mayPass || failures >= MAX_ATTEMPTS || outcome.refusal.code === "incomplete") return outcome.refusal;
      await wait(retryAfterSeconds ?? 2 ** failures);
      continue;
    }
    failures = 0;
    take(outcome.body.settlements);
    if (outcome.body.next_cursor === null) return null;
    cursor = outcome.body.next_cursor;
  }
  return null;
}

import { pool } from "#lib/db/client.ts";
import { csvLine } from "#lib/kernel/csv.ts";
import { BELONGS } from "#lib/payments/balance/book-unassigned.ts";

/** Rows per query. Bounds memory, whatever the size of a month. */
const BATCH = 1_000;
/** As many as a spreadsheet takes. A larger month breaks off, so that nobody takes a part for the whole. */
const MOST_ROWS = 1_000_000;

type Value = string | number | boolean | Date | null;
type File = { columns: readonly string[]; sql: string };

// Keyset pages over (time, ID): $1 and $2 are the month's bounds, $3 and $4 the last row's time and ID.
const FILES = {
  /** The entries of the LIVE ledger: debits are positive, credits negative; each transaction sums to zero. */
  ledger: {
    columns: [
      "entry_id",
      "transaction_id",
      "at",
      "kind",
      "reference",
      "settlement_id",
      "task_id",
      "account",
      "amount_pence",
    ],
    sql: `SELECT t.at AS key_at, e.id::text AS key_id, e.id::text AS entry_id, t.id::text AS transaction_id, t.at, t.kind::text AS kind,
        t.reference, t.settlement_id, s.task_id, e.account::text AS account, e.amount_pence
      FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id LEFT JOIN settlements s ON s.id = t.settlement_id
      WHERE t.payment_mode = 'LIVE' AND t.at >= $1 AND t.at < $2 AND (t.at, e.id) > ($3, $4::bigint) ORDER BY t.at, e.id LIMIT ${BATCH}`,
  },
  /** The movements of the platform's balance at Stripe; `of_settlement` says whether the ledger has it with a settlement. */
  balance: {
    columns: [
      "id",
      "created_at",
      "available_at",
      "type",
      "source",
      "amount_pence",
      "fee_pence",
      "net_pence",
      "of_settlement",
    ],
    sql: `SELECT b.created_at AS key_at, b.id AS key_id, b.id, b.created_at, b.available_at, b.type, b.source, b.amount_pence, b.fee_pence,
        b.net_pence, ${BELONGS} AS of_settlement
      FROM balance_transactions b WHERE b.created_at >= $1 AND b.created_at < $2 AND (b.created_at, b.id) > ($3, $4)
      ORDER BY b.created_at, b.id LIMIT ${BATCH}`,
  },
} as const satisfies Record<string, File>;

type MoneyFile = keyof typeof FILES;

const NAME = /^(ledger|balance)-(\d{4})-(0[1-9]|1[0-2])\.csv$/;

/** `ledger-2026-11.csv` → what it holds; undefined for any other name. Months are in UTC. */
export function readFileName(name: string): { file: MoneyFile; from: Date; to: Date } | undefined {
  const [, file, year, month] = NAME.exec(name) ?? [];
  if (!file) return undefined;
  const at = (months: number) => new Date(Date.UTC(Number(year), Number(month) - 1 + months, 1));
  return { file: file as MoneyFile, from: at(0), to: at(1) };
}

/** A month as CSV, in pieces. @throws Error after a million rows */
export async function* writeMonth({
  file,
  from,
  to,
}: {
  file: MoneyFile;
  from: Date;
  to: Date;
}): AsyncGenerator<string> {
  const { columns, sql } = FILES[file];
  yield csvLine(columns);
  let after: [Date, string] = [from, file === "ledger" ? "0" : ""];
  for (let rows = 0; ; rows += BATCH) {
    if (rows >= MOST_ROWS) throw new Error(`This month has more than ${MOST_ROWS} rows.`);
    const { rows: batch } = await pool().query<Record<string, Value>>(sql, [from, to, ...after]);
    if (batch.length > 0) yield batch.map((row) => csvLine(columns.map((name) => row[name] ?? null))).join("");
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = [last.key_at as Date, String(last.key_id)];
  }
}

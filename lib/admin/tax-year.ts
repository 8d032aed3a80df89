import { pool } from "#lib/db/client.ts";
import { csvLine } from "#lib/kernel/csv.ts";
import { invalidInput } from "#lib/kernel/errors.ts";

/**
 * What stands above the table. It makes no claim about who must report: the operator has to find that out.
 */
const head = (
  year: string,
) => `# What providers were paid through this platform in ${year}, prepared for HMRC's reporting by digital platforms (OECD model rules).
# Not tax advice. The year is a calendar year, and its quarters begin in January, April, July and October (UTC), as in those rules.
# consideration_pence: transferred to the provider's account at Stripe, less reversals. fees_pence: kept by the platform, less what was taken back. deals: settlements with a first transfer in the quarter.
# Guildhall does not hold these required fields: the seller's legal name, address, date of birth or company registration number, tax identification numbers (such as UTR, NINO, VAT number), country of residence, and bank account. Stripe collects most of them: export them from Stripe's dashboard by stripe_account.
`;

const COLUMNS = [
  "year",
  "quarter",
  "seller_public_id",
  "seller_name",
  "seller_host",
  "stripe_account",
  "currency",
  "consideration_pence",
  "fees_pence",
  "deals",
] as const;

type Row = Record<(typeof COLUMNS)[number], string | number | null>;

/** The quarters of every seller, as CSV. What a forgotten rehearsal had is left out. @throws ApiError invalid_input */
export async function taxYearExport(year: string): Promise<string> {
  if (!/^20\d\d$/.test(year)) throw invalidInput("YEAR", "must be a calendar year, such as 2026");
  const { rows } = await pool().query<Row>(
    `WITH moved AS (
       SELECT s.provider_id, s.id, extract(quarter FROM t.at AT TIME ZONE 'UTC')::int AS quarter, t.kind, t.reference, e.account, e.amount_pence
       FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN settlements s ON s.id = t.settlement_id
       WHERE t.payment_mode = 'LIVE' AND t.at >= $1 AND t.at < $2
         AND (e.account = 'platform_fees' OR e.account = 'cash' AND t.kind IN ('transfer', 'reversal'))
         AND NOT EXISTS (SELECT FROM payments p WHERE p.contract_id = s.contract_id AND p.forgotten)
     )
     SELECT $3 AS year, m.quarter, i.id AS seller_public_id, i.name AS seller_name, i.host AS seller_host,
       a.stripe_account_id AS stripe_account, 'GBP' AS currency,
       0 - coalesce(sum(m.amount_pence) FILTER (WHERE m.account = 'cash'), 0)::bigint AS consideration_pence,
       0 - coalesce(sum(m.amount_pence) FILTER (WHERE m.account = 'platform_fees'), 0)::bigint AS fees_pence,
       count(DISTINCT m.id) FILTER (WHERE m.kind = 'transfer' AND m.account = 'cash' AND m.reference = '') AS deals
     FROM moved m JOIN identities i ON i.id = m.provider_id LEFT JOIN payment_accounts a ON a.identity_id = i.id
     GROUP BY i.id, a.stripe_account_id, m.quarter ORDER BY i.id, m.quarter`,
    [`${year}-01-01T00:00:00Z`, `${Number(year) + 1}-01-01T00:00:00Z`, year],
  );
  return head(year) + csvLine(COLUMNS) + rows.map((row) => csvLine(COLUMNS.map((name) => row[name]))).join("");
}

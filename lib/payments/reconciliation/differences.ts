import { prisma } from "#lib/db/client.ts";
import type { Difference } from "#lib/db/generated/client.ts";

/**
 * Something on which the ledger and Stripe do not agree, or about which Stripe refuses to answer (`unreadable`). `refund_due` and
 * `chargeback` are the exceptions: both agree, and they wait for a person.
 */
export type Finding = {
  kind:
    | "cash"
    | "payment_misfit"
    | "double_payment"
    | "unknown_transfer"
    | "transfer_missing"
    | "payment_missing"
    | "charge_pending"
    | "double_act"
    | "unreadable"
    | "shortfall"
    | "balance"
    | "payout_schedule"
    | "held_long"
    | "refund_due"
    | "chargeback";
  /** The settlement, payment, identity or Stripe transfer that it is about. */
  subjectId: string;
  /** The settlement to which the subject belongs; null for an account. */
  settlementId: string | null;
  /** What the ledger says, what Stripe says, and what to do: for people to read. */
  books: string;
  stripe: string;
  remedy: string;
  /** Until when somebody must act, where Stripe sets a deadline. */
  dueBy?: Date | null;
};

/** What an open difference can be about; the last two are recorded by the calls that Stripe refuses. */
export type DifferenceKind = Finding["kind"] | "misconfigured" | "account_creation";

/** Findings on which both sides agree, and that wait for a person. */
const WAITING: ReadonlySet<Finding["kind"]> = new Set(["refund_due", "chargeback", "held_long"]);
export const isWaiting = ({ kind }: Finding) => WAITING.has(kind);

/** What a run looked at: settlements with everything that belongs to them, and accounts by their identities. */
type Checked = { settlements: string[]; accounts: string[] };

/** Records the findings of a run, and resolves earlier ones about what it checked and did not find again. */
export async function recordFindings(findings: Finding[], checked: Checked, now: Date): Promise<void> {
  for (const { kind, subjectId, settlementId, books, stripe, remedy, dueBy = null } of findings)
    await prisma().$executeRaw`
      INSERT INTO differences (kind, subject_id, settlement_id, books, stripe, remedy, due_by, found_at, seen_at)
      VALUES (${kind}, ${subjectId}, ${settlementId}, ${books}, ${stripe}, ${remedy}, ${dueBy}, ${now}, ${now})
      ON CONFLICT (kind, subject_id) WHERE resolved_at IS NULL
      DO UPDATE SET books = excluded.books, stripe = excluded.stripe, remedy = excluded.remedy, due_by = excluded.due_by,
        seen_at = excluded.seen_at`;
  await prisma().$executeRaw`
    UPDATE differences SET resolved_at = ${now}
    WHERE resolved_at IS NULL AND (settlement_id = ANY(${checked.settlements}) OR subject_id = ANY(${checked.accounts}))
      AND (kind, subject_id) NOT IN (
        SELECT * FROM unnest(${findings.map(({ kind }) => kind)}::text[], ${findings.map(({ subjectId }) => subjectId)}::text[]))`;
}

/** The unresolved differences, oldest first. */
export function openDifferences(limit = 500): Promise<Difference[]> {
  return prisma().difference.findMany({ where: { resolvedAt: null }, orderBy: { id: "asc" }, take: limit });
}

import { prisma } from "#lib/db/client.ts";
import type { Difference } from "#lib/db/generated/client.ts";

/**
 * Something on which the books and Stripe do not agree, or on which Stripe refuses to say anything (`unreadable`); `refund_due`
 * alone is agreed on, and waits for a person.
 */
export type Finding = {
  kind:
    | "cash"
    | "payment_misfit"
    | "unknown_transfer"
    | "transfer_missing"
    | "payment_missing"
    | "unreadable"
    | "refund_due";
  subjectId: string;
  books: string;
  stripe: string;
  remedy: string;
};

/** Keeps what was found about these subjects, and closes what was found earlier and is no longer so. */
export async function keepFindings(findings: Finding[], checked: string[], now: Date): Promise<void> {
  for (const { kind, subjectId, books, stripe, remedy } of findings)
    await prisma().$executeRaw`
      INSERT INTO differences (kind, subject_id, books, stripe, remedy, found_at, seen_at)
      VALUES (${kind}, ${subjectId}, ${books}, ${stripe}, ${remedy}, ${now}, ${now})
      ON CONFLICT (kind, subject_id) WHERE resolved_at IS NULL
      DO UPDATE SET books = excluded.books, stripe = excluded.stripe, remedy = excluded.remedy, seen_at = excluded.seen_at`;
  const seen = findings.map(({ kind, subjectId }) => `${kind} ${subjectId}`);
  await prisma().$executeRaw`
    UPDATE differences SET resolved_at = ${now}
    WHERE resolved_at IS NULL AND subject_id = ANY(${checked}) AND NOT (kind || ' ' || subject_id = ANY(${seen}))`;
}

/** What is open now, oldest first. */
export function openDifferences(limit = 500): Promise<Difference[]> {
  return prisma().difference.findMany({ where: { resolvedAt: null }, orderBy: { id: "asc" }, take: limit });
}

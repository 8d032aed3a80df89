import type { z } from "zod";
import { audit, originOf } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { statement } from "#lib/db/statement.ts";
import type { Tx } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import type { SecurityEntry } from "./schema.ts";

/** Something that happened to an owner's account. */
type SecurityEvent = {
  ownerId: string;
  /** A verb, such as `sign_in`; security-words.ts has the words for the page. */
  action: string;
  /** Further details; no secrets. */
  data?: Prisma.InputJsonObject;
};

/** Writes the event to the audit trail, with the request's network address and browser. The owner sees it in the security log. */
export function recordSecurityEvent(tx: Tx, ctx: Context, { ownerId, action, data }: SecurityEvent): Promise<void> {
  return audit(tx, ctx, {
    action,
    subjectKind: "owner",
    subjectId: ownerId,
    data: { ...data, ...originOf(ctx) },
  });
}

const ENTRY = {
  seq: db.bigint.from("seq"),
  at: db.timestamp.from("at"),
  actorKind: db.text.from("actor_kind"),
  action: db.text.from("action"),
  subjectKind: db.text.from("subject_kind"),
  subjectId: db.text.from("subject_id"),
  data: db.nullable(db.jsonb<Record<string, unknown>>()).from("data"),
};
const COLUMNS = db.select(ENTRY);
/** One line of an owner's security log. */
export type SecurityLogEntry = Omit<db.RowOf<typeof ENTRY>, "seq"> & { seq: number };

/** Other people's actions on an owner's agents that the owner should know about. */
const ABOUT_AGENTS = [
  "suspend",
  "restore",
  "hold",
  "unhold",
  "leak_reported",
  "reissue",
  "access_create",
  "access_remove",
];

// Each branch reads its newest entries through an index; only these are merged.
const newest = statement(
  "owner.security_log",
  ENTRY,
  `SELECT DISTINCT ON (seq) * FROM (
     (SELECT ${COLUMNS} FROM audit_events WHERE subject_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3)
     UNION ALL
     (SELECT ${COLUMNS} FROM audit_events
      WHERE actor_id = $1 AND actor_kind = 'owner' AND seq < $2 ORDER BY seq DESC LIMIT $3)
     UNION ALL
     (SELECT e.* FROM (SELECT id FROM profiles WHERE owner_id = $1 UNION SELECT id FROM identities WHERE owner_id = $1) agents
      CROSS JOIN LATERAL (
        SELECT ${COLUMNS} FROM audit_events WHERE subject_id = agents.id AND action = ANY ($4::text[]) AND seq < $2
        ORDER BY seq DESC LIMIT $3) e
      ORDER BY seq DESC LIMIT $3)
   ) entries ORDER BY seq DESC LIMIT $3`,
);

/**
 * The owner's security log, newest first: what happened to the account, what the owner did, and what others decided about
 * the owner's agents.
 * @param before only entries with a lower `seq`
 */
export async function readSecurityLog(
  ownerId: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<{ entries: SecurityLogEntry[]; nextBefore: number | null }> {
  const rows = await newest(ownerId, before, limit + 1, ABOUT_AGENTS);
  const entries = rows.slice(0, limit).map((row) => ({ ...row, seq: Number(row.seq) }));
  return { entries, nextBefore: rows.length > limit ? (entries.at(-1)?.seq ?? null) : null };
}

/** The access token that acted, or that the entry is about. */
function accessIn(data: SecurityLogEntry["data"]): { access_id: string; name: string } | null {
  const { access_id: id, name } = (data?.credential ?? data ?? {}) as Record<string, unknown>;
  return typeof id === "string" && typeof name === "string" ? { access_id: id, name } : null;
}

/** An entry as the export and the page show it. */
export function viewEntry({
  at,
  action,
  subjectKind,
  subjectId,
  actorKind,
  data,
}: SecurityLogEntry): z.output<typeof SecurityEntry> {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    at: iso(at),
    action,
    subject_kind: subjectKind,
    subject_id: subjectId,
    by: actorKind,
    address: text(data?.address),
    device: text(data?.device),
    credential: accessIn(data),
  };
}

import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import { newestFirst } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { iso } from "#lib/kernel/clock.ts";
import { ACTOR_KINDS, type AuditQuery, type RecordedEvent } from "../schema.ts";

const EVENT = {
  id: db.text.from("e.id"),
  at: db.timestamp.from("e.at"),
  actorKind: db.text.from("e.actor_kind"),
  actorId: db.text.from("e.actor_id"),
  /** The actor's present name, or an administrator's name at the time. */
  actorName: db.nullable(db.text).from("coalesce(e.data ->> 'administrator', n.name, a.name, m.name)"),
  action: db.text.from("e.action"),
  subjectKind: db.text.from("e.subject_kind"),
  subjectId: db.text.from("e.subject_id"),
  reason: db.nullable(db.text).from("e.reason"),
  data: db.nullable(db.jsonb<Record<string, unknown>>()).from("e.data"),
};
const NUMBERED = { seq: db.bigint.from("e.seq"), ...EVENT };
const NAMES = `LEFT JOIN owners n ON n.id = e.actor_id LEFT JOIN identities a ON a.id = e.actor_id
  LEFT JOIN profiles m ON m.id = e.actor_id`;

/** Matches the actor by ID, a person also by e-mail address, and an administrator also by name. */
const ACTOR = (placeholder: string) =>
  `e.actor_id IN (SELECT ${placeholder} UNION ALL SELECT id FROM owners WHERE email = lower(${placeholder}) OR role = 'administrator' AND name = ${placeholder})`;

// The few kinds differ greatly in size. As a literal in the SQL, the kind lets the planner estimate each one.
const reads = new Map(
  [undefined, ...ACTOR_KINDS].map((kind, place) => [
    kind,
    newestFirst({
      name: `admin_audit_${place}`,
      table: "audit_events",
      alias: "e",
      scope: kind ? `e.actor_kind = '${kind}'` : "true",
      columnJoins: NAMES,
      columns: EVENT,
      filters: {
        subject: (placeholder) => `e.subject_id = ${placeholder}`,
        actor: ACTOR,
        action: (placeholder) => `e.action = ${placeholder}`,
        from: (placeholder) => `e.at >= ${placeholder}::timestamptz`,
        to: (placeholder) => `e.at < ${placeholder}::timestamptz + interval '1 day'`,
      },
      indexed: ["subject"],
    }),
  ]),
);

/** The audit trail, newest first. `from` and `to` are days in UTC, both inclusive. */
export async function listEvents(input: z.output<typeof AuditQuery>) {
  const read = reads.get(input.kind) as NonNullable<ReturnType<typeof reads.get>>;
  const { subject, actor, action } = input;
  const day = (text: string | undefined) => text && `${text}T00:00:00Z`;
  const { rows, nextCursor } = await read(input, { subject, actor, action, from: day(input.from), to: day(input.to) });
  return { rows: await withNames(rows), nextCursor };
}

const NAMED = { id: db.text, name: db.text };
const names = statement(
  "admin_audit_names",
  NAMED,
  `SELECT id, name FROM identities WHERE id = ANY ($1::text[])
   UNION ALL SELECT id, name FROM profiles p WHERE id = ANY ($1::text[]) AND NOT EXISTS (SELECT FROM identities i WHERE i.id = p.id)
   UNION ALL SELECT id, name FROM owners WHERE id = ANY ($1::text[])
   UNION ALL SELECT id, title FROM tasks WHERE id = ANY ($1::text[])
   UNION ALL SELECT id, title FROM posts WHERE id = ANY ($1::text[]) AND title IS NOT NULL
   UNION ALL SELECT o.id, o.skill FROM offers o WHERE id = ANY ($1::text[])
   UNION ALL SELECT x.id, t.title FROM contracts x JOIN tasks t ON t.id = x.task_id WHERE x.id = ANY ($1::text[])
   UNION ALL SELECT x.id, t.title FROM settlements x JOIN tasks t ON t.id = x.task_id WHERE x.id = ANY ($1::text[])
   UNION ALL SELECT x.id, t.title FROM disputes x JOIN tasks t ON t.id = x.task_id WHERE x.id = ANY ($1::text[])`,
);

/** Adds the current names of everything that the entries refer to by ID, so that people can read them. */
async function withNames(events: Omit<RecordedEvent, "names">[]): Promise<RecordedEvent[]> {
  const ids = events.flatMap(({ subjectId, data }) => [
    subjectId,
    ...Object.values(data ?? {}).flatMap((value) => (typeof value === "string" && HAS_ID.test(value) ? [value] : [])),
  ]);
  if (ids.length === 0) return [];
  const known = Object.fromEntries((await names([...new Set(ids)])).map(({ id, name }) => [id, name]));
  return events.map((event) => ({ ...event, names: known }));
}

const HAS_ID = /^[a-z]{3}_[1-9A-Za-z]+$/;

const about = statement(
  "admin_audit_about",
  NUMBERED,
  `SELECT * FROM (SELECT ${db.select(NUMBERED)} FROM audit_events e ${NAMES} WHERE e.subject_id = ANY ($1::text[])
   ORDER BY e.seq DESC LIMIT $2) newest ORDER BY seq`,
);

/** The newest entries about any of these subjects, oldest first. */
export async function readEventsAbout(ids: readonly string[], most = 200): Promise<RecordedEvent[]> {
  return withNames(await about(ids, most));
}

/** The newest entries of the audit trail, 50 by default, newest first; optionally only those about or by one ID. */
export async function readAudit({ about, limit = 50 }: { about?: string; limit?: number }) {
  const events = await prisma().auditEvent.findMany({
    where: about ? { OR: [{ subjectId: about }, { actorId: about }] } : {},
    orderBy: { seq: "desc" },
    take: limit,
  });
  return events.map((event) => ({
    event_id: event.id,
    at: iso(event.at),
    actor: { kind: event.actorKind, id: event.actorId },
    action: event.action,
    subject: { kind: event.subjectKind, id: event.subjectId },
    reason: event.reason,
    data: event.data,
    request_id: event.requestId,
  }));
}

import type { z } from "zod";
import { newestFirst } from "#lib/db/newest-first.ts";
import { statement } from "#lib/db/statement.ts";
import { ACTOR_KINDS, type AuditQuery, type RecordedEvent } from "../schema.ts";

type Filter = "subject" | "actor" | "action" | "from" | "to";

const COLUMNS = `e.id, e.at, e.actor_kind AS "actorKind", e.actor_id AS "actorId",
  coalesce(e.data ->> 'administrator', n.name, a.name, m.name) AS "actorName", e.action, e.subject_kind AS "subjectKind",
  e.subject_id AS "subjectId", e.reason, e.data`;
const NAMES = `LEFT JOIN owners n ON n.id = e.actor_id LEFT JOIN identities a ON a.id = e.actor_id
  LEFT JOIN profiles m ON m.id = e.actor_id`;

/** The actor by ID; a person also by e-mail, and an administrator by name. */
const ACTOR = (placeholder: string) =>
  `e.actor_id IN (SELECT ${placeholder} UNION ALL SELECT id FROM owners WHERE email = lower(${placeholder}) OR role = 'administrator' AND name = ${placeholder})`;

// Kinds are few and very unlike: named in the text, the planner knows how much each holds.
const reads = new Map(
  [undefined, ...ACTOR_KINDS].map((kind, place) => [
    kind,
    newestFirst<RecordedEvent & { seq: string }, Filter>({
      // Short: PostgreSQL cuts the names of statements.
      name: `admin_audit_${place}`,
      table: "audit_events",
      alias: "e",
      scope: kind ? `e.actor_kind = '${kind}'` : "true",
      columnJoins: NAMES,
      columns: COLUMNS,
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

/** The record, newest first. `from` and `to` are days in UTC, both included. */
export async function listEvents(input: z.output<typeof AuditQuery>) {
  const read = reads.get(input.kind) as NonNullable<ReturnType<typeof reads.get>>;
  const { subject, actor, action } = input;
  const day = (text: string | undefined) => text && `${text}T00:00:00Z`;
  const { rows, nextCursor } = await read(input, { subject, actor, action, from: day(input.from), to: day(input.to) });
  return { events: rows, nextCursor };
}

const about = statement<RecordedEvent>(
  "admin_audit_about",
  `SELECT * FROM (SELECT e.seq, ${COLUMNS} FROM audit_events e ${NAMES} WHERE e.subject_id = ANY ($1::text[])
   ORDER BY e.seq DESC LIMIT $2) newest ORDER BY seq`,
);

/** The newest entries about any of these things, oldest first. */
export function readEventsAbout(ids: readonly string[], most = 200): Promise<RecordedEvent[]> {
  return about(ids, most);
}

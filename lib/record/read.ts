import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { ProfileActor, ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { profileRecipient } from "#lib/kernel/event-types.ts";
import { isWantedSql } from "./event-filter.ts";
import type { EventWire } from "./schema.ts";

/** An event with those whom it is for. */
export type PlacedEvent = { position: number; recipients: string[]; event: EventWire };

export type EventPage = {
  events: EventWire[];
  /** Where to continue: after everything that this page covers, including what is not for the caller. */
  nextAfter: number;
  hasMore: boolean;
};

type EventQuery = {
  /** A position; undefined starts at the end. */
  after?: number | undefined;
  /** Exact types, or prefixes such as `task.*`; undefined for all. */
  types?: readonly string[] | undefined;
  limit: number;
};

/** The most of a reader's events that one call looks at for some of the types. */
const WINDOW = 5_000;

const EVENT = {
  position: db.bigint.from("p.position"),
  id: db.text.from("e.id"),
  // A row that has a position has a type, recipients and data.
  type: db.text.from("coalesce(e.type, '')"),
  at: db.timestamp.from("e.at"),
  subjectKind: db.text.from("e.subject_kind"),
  subjectId: db.text.from("e.subject_id"),
  taskId: db.nullable(db.text).from("e.task_id"),
  actorKind: db.text.from("e.actor_kind"),
  actorId: db.text.from("e.actor_id"),
  data: db.jsonb<Record<string, unknown>>().from("coalesce(e.event_data, '{}')"),
};
type EventRow = db.RowOf<typeof EVENT>;

const FEED = { lastPosition: db.bigint.from("last_position"), oldest: db.bigint.from("oldest") };
const feed = statement("events.feed", FEED, `SELECT ${db.select(FEED)} FROM event_feed`);

/** The highest position. */
export async function readHead(): Promise<number> {
  return Number((await feed())[0]?.lastPosition ?? 0);
}

const PLACED = { ...EVENT, recipients: db.arrayOf(db.text).from("coalesce(e.recipients, '{}')") };
const placed = statement(
  "events.placed",
  PLACED,
  `SELECT ${db.select(PLACED)} FROM event_positions p JOIN audit_events e USING (seq)
   WHERE p.position > $1 ORDER BY p.position LIMIT $2`,
);

/** Everybody's events after a position, for the service's own use. */
export async function readPlaced(after: number, limit: number): Promise<PlacedEvent[]> {
  const rows = await placed(after, limit);
  return rows.map((row) => ({ position: Number(row.position), recipients: row.recipients, event: eventView(row) }));
}

const reach = statement(
  "events.reach",
  {
    lastPosition: db.bigint,
    oldest: db.bigint,
    wanted: db.arrayOf(db.bigint),
    looked: db.integer,
    reached: db.nullable(db.bigint),
  },
  `WITH near AS MATERIALIZED (
     SELECT DISTINCT r.position, r.type FROM unnest($1::text[]) AS who (id), LATERAL (
       SELECT position, type FROM event_recipients WHERE recipient = who.id AND position > $2 ORDER BY position LIMIT $5
     ) r ORDER BY r.position LIMIT $5
   )
   SELECT last_position AS "lastPosition", oldest, (SELECT count(*)::int FROM near) AS looked,
     (SELECT max(position) FROM near) AS reached,
     ARRAY(SELECT position FROM near
       WHERE ${isWantedSql("$3")} ORDER BY position LIMIT $4) AS wanted
   FROM event_feed`,
);

const byPositions = statement(
  "events.by_position",
  EVENT,
  `SELECT ${db.select(EVENT)} FROM event_positions p JOIN audit_events e USING (seq)
   WHERE p.position = ANY ($1::bigint[]) ORDER BY p.position`,
);

/** Whose events a credential shows: an identity's and its profile's by management token, a profile's by community key. */
export function recipientsOf({ kind, id }: Pick<ServiceActor | ProfileActor, "kind" | "id">): string[] {
  return kind === "service" ? [id, profileRecipient(id)] : [profileRecipient(id)];
}

/**
 * The events for these recipients, in order.
 * @throws ApiError cursor_expired with `oldest` if `after` is older than what is kept, or beyond the end
 */
export async function readEvents(recipients: readonly string[], query: EventQuery): Promise<EventPage> {
  const { after, types, limit } = query;
  if (after === undefined) return { events: [], nextAfter: await readHead(), hasMore: false };
  const window = types ? WINDOW : limit + 1;
  const [found] = await reach(recipients, after, types ?? null, limit + 1, window);
  if (!found) throw new Error("the feed has no state");
  const end = Number(found.lastPosition);
  const oldest = Number(found.oldest);
  if (after < oldest || after > end) throw cursorExpired(oldest);
  const hasMore = found.wanted.length > limit || found.looked === window;
  const shown = found.wanted.slice(0, limit);
  const rows = shown.length > 0 ? await byPositions(shown) : [];
  const reached = found.wanted.length > limit ? (shown.at(-1) ?? after) : found.looked === window ? found.reached : end;
  return { events: rows.map(eventView), nextAfter: Number(reached), hasMore };
}

function cursorExpired(oldest: number): ApiError {
  return new ApiError(
    "cursor_expired",
    `There are no events after this position, or some are no longer kept. Read the current state, then continue from after=${oldest}.`,
    { oldest },
  );
}

/** The contents of an event are fixed when it is written, so this needs no reader. Pure. */
function eventView(row: EventRow): EventWire {
  const { type, taskId, actorKind, actorId, data } = row;
  const isAgent = actorKind === "service" || actorKind === "profile";
  return {
    position: Number(row.position),
    event_id: row.id,
    type,
    at: iso(row.at),
    subject: subjectOf(row),
    task_id: taskId,
    actor: { kind: actorKind as EventWire["actor"]["kind"], public_id: isAgent ? actorId : null },
    data,
  };
}

/** The audit trail files what the parties of a dispute do under its task. */
function subjectOf({ type, subjectKind, subjectId, data }: EventRow): EventWire["subject"] {
  if (type.startsWith("dispute.") && typeof data.dispute_id === "string")
    return { kind: "dispute", id: data.dispute_id };
  return { kind: subjectKind as EventWire["subject"]["kind"], id: subjectId };
}

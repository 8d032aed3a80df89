import { accessOfActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import type { CREDENTIAL_ENDED, EventType } from "#lib/kernel/event-types.ts";
import { newId } from "#lib/kernel/ids.ts";
import { integer } from "./columns.ts";
import type { Prisma } from "./generated/client.ts";
import { firstOrigin, type LogFacts, stated, statementParts } from "./log-statement.ts";
import { statement } from "./statement.ts";
import { type AnyTx, connectionOf } from "./tx.ts";

export type SubjectKind =
  | "owner"
  | "profile"
  | "post"
  | "identity"
  | "host"
  | "offer"
  | "task"
  | "contract"
  | "settlement"
  | "payment"
  | "dispute"
  | "file"
  | "message"
  | "report"
  | "pattern"
  | "moderation"
  | "job"
  | "stripe_event"
  | "stripe_account"
  | "secret"
  | "oauth_client"
  | "log";

/** What makes a row of the audit trail an event that agents follow. */
export type WireEvent = {
  type: EventType | typeof CREDENTIAL_ENDED;
  /** The task that it belongs to, if any. */
  taskId?: string;
  /** Who may see it, now and later: IDs of identities, and `profileRecipient(id)` for profiles. Empty places are left out. */
  recipients: readonly (string | null | undefined)[];
  /** Thin: IDs, states, hashes, amounts and reasons that every recipient may read. Never a secret, brief, terms or result. */
  data: Prisma.InputJsonObject;
  /** What the transparency log records of it; undefined for events that it leaves out. Its chain is the task, or else the subject. */
  log?: LogFacts | undefined;
};

export type AuditEntry = {
  action: string;
  subjectKind: SubjectKind;
  subjectId: string;
  reason?: string | null;
  data?: Prisma.InputJsonObject;
  event?: WireEvent | undefined;
};

/** The actor's ID in the audit trail. */
export function actorId(ctx: Context): string {
  return ctx.actor.kind === "visitor" ? "visitor" : ctx.actor.id;
}

/** The columns of a row of the audit trail, with their types. */
const ROW = {
  id: "text",
  at: "timestamptz",
  actor_kind: "text",
  actor_id: "text",
  action: "text",
  subject_kind: "text",
  subject_id: "text",
  reason: "text",
  data: "jsonb",
  request_id: "text",
  type: "text",
  task_id: "text",
  recipients: "text[]",
  event_data: "jsonb",
} as const;
/** What its statement in the log needs besides. */
const STATEMENT = { head: "text", tail: "text", text_salt: "text", first_origin: "text" } as const;

type Row = Partial<Record<keyof typeof ROW | keyof typeof STATEMENT, unknown>>;

const COLUMNS = Object.keys(ROW).join(", ");
const TYPED = Object.entries({ ...ROW, ...STATEMENT }).map(([name, type]) => `${name} ${type}`);

/**
 * The parts of a WITH that write rows of the audit trail, `recorded`, and their statements in the log, `stated`: the only place where the
 * service's verbs write them.
 * @param source relation whose column `entries` has what `entriesOf` returns, one list for each of its rows. No two of the entries that
 *   have statements are of one chain
 */
export function recordedFor(source: string): string {
  return `entries AS MATERIALIZED (
      SELECT entry.*, place FROM ${source} AS source, jsonb_array_elements(source.entries) WITH ORDINALITY AS each (value, place),
        jsonb_to_record(each.value) AS entry (${TYPED.join(", ")})
    ), recorded AS (
      INSERT INTO audit_events (${COLUMNS}) SELECT ${COLUMNS} FROM entries ORDER BY place RETURNING id, seq
    ), ${stated(`(
      SELECT seq, coalesce(task_id, subject_id) AS chain, type AS event, head, tail, text_salt, first_origin
      FROM recorded JOIN entries USING (id) WHERE head IS NOT NULL
    )`)}`;
}

/** The rows of some entries, as JSON. They are written in this order. */
export function entriesOf(ctx: Context, entries: readonly AuditEntry[], at = ctx.clock.now()): string {
  return JSON.stringify(entries.map((entry) => rowOf(ctx, entry, at)));
}

function rowOf(ctx: Context, { action, subjectKind, subjectId, reason, data, event }: AuditEntry, at: Date): Row {
  const row: Row = {
    id: newId("evt"),
    at,
    actor_kind: ctx.actor.kind,
    actor_id: actorId(ctx),
    action,
    subject_kind: subjectKind,
    subject_id: subjectId,
    reason,
    data: withOrigin(ctx, data),
    request_id: ctx.requestId,
    type: event?.type,
    task_id: event?.taskId,
    recipients: event && recipientList(event.recipients),
    event_data: event?.data,
  };
  if (!event?.log) return row;
  const about = { type: event.type, chain: event.taskId ?? subjectId, at };
  const { head, tail, textSalt } = statementParts({ kind: ctx.actor.kind, id: actorId(ctx) }, event.log, about);
  return { ...row, head, tail, text_salt: textSalt, first_origin: firstOrigin() };
}

const record = statement(
  "audit.record",
  { recorded: integer },
  `WITH given AS (SELECT $1::jsonb AS entries), ${recordedFor("given")} SELECT count(*)::int AS recorded FROM recorded`,
);

/**
 * Writes who did what into the record, in the transaction that does it. A verb takes all its locks before it writes its first
 * event, so that an effect always has a higher number than its cause.
 */
export async function audit(tx: AnyTx, ctx: Context, ...entries: readonly AuditEntry[]): Promise<void> {
  await record.on(connectionOf(tx), entriesOf(ctx, entries));
}

/** Each recipient once. */
function recipientList(recipients: WireEvent["recipients"]): string[] {
  return [...new Set(recipients.filter((recipient) => recipient !== null && recipient !== undefined))];
}

/**
 * An administrator's name at the time, the access token that a service identity used, and the network address and browser that an owner used, which owners see in their
 * security log.
 */
function withOrigin(ctx: Context, data: AuditEntry["data"]): AuditEntry["data"] {
  const { actor, client } = ctx;
  if (actor.kind === "administrator" && actor.name) return { ...data, administrator: actor.name };
  const access = accessOfActor(actor);
  if (access) return { ...data, credential: { access_id: access.id, name: access.name } };
  return actor.kind === "owner" && client ? { ...data, ...originOf(ctx) } : data;
}

/** The network address and the browser's name, for the audit trail. Empty if no request is being answered. */
export function originOf({ client }: Context): { address?: string; device?: string } {
  return client ? { address: client.address, device: deviceWords(client.userAgent) } : {};
}

import { type Actor, accessOfActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import type { CREDENTIAL_ENDED, EventType } from "#lib/kernel/event-types.ts";
import { newId } from "#lib/kernel/ids.ts";
import { integer } from "./columns.ts";
import type { Prisma } from "./generated/client.ts";
import { firstOrigin, type LogFacts, stated, statementParts } from "./log-statement.ts";
import { namedStatement } from "./named.ts";
import { type AnyTx, connectionOf, type Tx } from "./tx.ts";

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

/** An event that the log leaves out. */
export type UnstatedEvent = WireEvent & { log?: undefined };

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

/**
 * Writes who did what into the record, in the transaction that does it. A verb takes all its locks before it writes its first
 * event, so that an effect always has a higher number than its cause.
 */
export async function audit(tx: AnyTx, ctx: Context, entry: AuditEntry): Promise<void> {
  const record = entry.event?.log ? recordStated : recordAlone;
  await record.on(connectionOf(tx), recordValues(ctx, entry));
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

const columnNames = Object.keys(ROW) as (keyof typeof ROW)[];
const statementNames = Object.keys(STATEMENT) as (keyof typeof STATEMENT)[];

/**
 * The parts of a WITH that write a row of the audit trail, and its statement in the log if it has one. Their values are those of `recordValues`.
 * @param source relation without whose row nothing is written
 * @param hasStatement whether the entries have a statement
 */
export function recordedFor(source: string, hasStatement: boolean): string {
  const value = (name: keyof typeof ROW) => `:record_${name}::${ROW[name]}`;
  const recorded = `recorded AS (
      INSERT INTO audit_events (${columnNames.join(", ")}) SELECT ${columnNames.map(value).join(", ")} FROM ${source} RETURNING seq
    )`;
  if (!hasStatement) return recorded;
  const parts = statementNames.map((name) => `:record_${name}::${STATEMENT[name]} AS ${name}`);
  const chain = `coalesce(${value("task_id")}, ${value("subject_id")})`;
  const given = `(SELECT seq, ${chain} AS chain, ${value("type")} AS event, ${parts.join(", ")} FROM recorded)`;
  return `${recorded}, ${stated(given)}`;
}

/** The values that `recordedFor` uses. */
export function recordValues(ctx: Context, entry: AuditEntry) {
  const row = columnsOf(ctx, entry);
  const { event, subjectId } = entry;
  const values = {
    record_id: row.id,
    record_at: row.at,
    record_actor_kind: row.actorKind,
    record_actor_id: row.actorId,
    record_action: row.action,
    record_subject_kind: row.subjectKind,
    record_subject_id: subjectId,
    record_reason: row.reason,
    record_data: json(row.data),
    record_request_id: row.requestId,
    record_type: event?.type,
    record_task_id: event?.taskId,
    record_recipients: event && recipientList(event.recipients),
    record_event_data: json(event?.data),
  };
  if (!event?.log) return values;
  const about = { ...event, chain: event.taskId ?? subjectId, at: row.at };
  const { head, tail, textSalt } = statementParts({ kind: ctx.actor.kind, id: actorId(ctx) }, event.log, about);
  return {
    ...values,
    record_head: head,
    record_tail: tail,
    record_text_salt: textSalt,
    record_first_origin: firstOrigin(),
  };
}

const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

const recordAlone = recordStatement("audit.record", false);
const recordStated = recordStatement("audit.record_stated", true);

function recordStatement(name: string, hasStatement: boolean) {
  const names: string[] = [...columnNames, ...(hasStatement ? statementNames : [])].map((each) => `record_${each}`);
  const text = `WITH one AS (SELECT 1), ${recordedFor("one", hasStatement)} SELECT count(*)::int AS recorded FROM recorded`;
  return namedStatement(name, { recorded: integer }, names, text);
}

/** The same for several entries without statements in the log, in one SQL statement. */
export async function auditAll(
  tx: Tx,
  ctx: Context,
  entries: readonly (AuditEntry & { event?: UnstatedEvent })[],
): Promise<void> {
  await tx.auditEvent.createMany({ data: entries.map((entry) => columnsOf(ctx, entry)) });
}

function columnsOf(ctx: Context, entry: AuditEntry) {
  return {
    id: newId("evt"),
    at: ctx.clock.now(),
    actorKind: ctx.actor.kind,
    actorId: actorId(ctx),
    action: entry.action,
    subjectKind: entry.subjectKind,
    subjectId: entry.subjectId,
    reason: entry.reason ?? null,
    data: withOrigin(ctx, entry.data),
    requestId: ctx.requestId,
    ...(entry.event && eventColumns(entry.event)),
  };
}

function eventColumns({ type, taskId, recipients, data }: WireEvent) {
  return { type, taskId: taskId ?? null, recipients: recipientList(recipients), eventData: data };
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
  const credential = accessData(actor);
  if (credential) return { ...data, ...credential };
  return actor.kind === "owner" && client ? { ...data, ...originOf(ctx) } : data;
}

/** The access token by which the actor called, for the audit trail; undefined if it was none. */
export function accessData(actor: Actor): { credential: { access_id: string; name: string } } | undefined {
  const access = accessOfActor(actor);
  return access && { credential: { access_id: access.id, name: access.name } };
}

/** The network address and the browser's name, for the audit trail. Empty if no request is being answered. */
export function originOf({ client }: Context): { address?: string; device?: string } {
  return client ? { address: client.address, device: deviceWords(client.userAgent) } : {};
}

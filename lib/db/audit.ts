import type { Context } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import type { CREDENTIAL_ENDED, EventType } from "#lib/kernel/event-types.ts";
import { newId } from "#lib/kernel/ids.ts";
import { integer } from "./columns.ts";
import type { Prisma } from "./generated/client.ts";
import { firstOrigin, type LogFacts, stated, statementParts } from "./log-statement.ts";
import { statement } from "./statement.ts";
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
  | "report"
  | "job"
  | "stripe_event"
  | "stripe_account"
  | "secret"
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

/**
 * Writes who did what into the record, in the transaction that does it. A verb takes all its locks before it writes its first
 * event, so that an effect always has a higher number than its cause.
 */
export async function audit(tx: AnyTx, ctx: Context, entry: AuditEntry): Promise<void> {
  const record = entry.event?.log ? recordStated : recordAlone;
  await record.on(connectionOf(tx), ...recordValues(ctx, entry));
}

// What a row of the audit trail needs, and its statement in the log.
const ROW = [
  ...[
    "id text",
    "at timestamptz",
    "actor_kind text",
    "actor_id text",
    "action text",
    "subject_kind text",
    "subject_id text",
  ],
  ...["reason text", "data jsonb", "request_id text", "type text", "task_id text", "recipients text[]"],
  "event_data jsonb",
] as const;
const STATEMENT = ["head text", "tail text", "text_salt text", "first_origin text"] as const;

/**
 * The parts of a WITH that write a row of the audit trail, and its statement in the log if it has one.
 * @param source relation without whose row nothing is written
 * @param first number of the first of the parameters that `recordValues` gives
 * @param hasStatement whether the entries have a statement
 */
export function recordedFor(source: string, first: number, hasStatement: boolean): string {
  const columns = ROW.map((parameter) => parameter.split(" ")[0] ?? "");
  const at = Object.fromEntries(
    [...ROW, ...STATEMENT].map((parameter, index) => {
      const [name = "", type] = parameter.split(" ");
      return [name, `$${first + index}::${type}`];
    }),
  );
  const recorded = `recorded AS (
      INSERT INTO audit_events (${columns.join(", ")}) SELECT ${columns.map((name) => at[name]).join(", ")} FROM ${source} RETURNING seq
    )`;
  if (!hasStatement) return recorded;
  const parts = STATEMENT.map((parameter) => parameter.split(" ")[0] ?? "").map((name) => `${at[name]} AS ${name}`);
  const chain = `coalesce(${at.task_id}, ${at.subject_id})`;
  const given = `(SELECT seq, ${chain} AS chain, ${at.type} AS event, ${parts.join(", ")} FROM recorded)`;
  return `${recorded}, ${stated(given)}`;
}

/** The values of the parameters of `recordedFor`, in their order. */
export function recordValues(ctx: Context, entry: AuditEntry): unknown[] {
  const row = columnsOf(ctx, entry);
  const { event, subjectId } = entry;
  const values = [
    ...[row.id, row.at, row.actorKind, row.actorId, row.action, row.subjectKind, subjectId],
    ...[row.reason, json(row.data), row.requestId, event?.type, event?.taskId],
    ...[event && recipientList(event.recipients), json(event?.data)],
  ];
  if (!event?.log) return values;
  const about = { ...event, chain: event.taskId ?? subjectId, at: row.at };
  const { head, tail, textSalt } = statementParts({ kind: ctx.actor.kind, id: actorId(ctx) }, event.log, about);
  return [...values, head, tail, textSalt, firstOrigin()];
}

const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

const recordAlone = statement("audit.record", { recorded: integer }, recordText(false));
const recordStated = statement("audit.record_stated", { recorded: integer }, recordText(true));

function recordText(hasStatement: boolean): string {
  return `WITH one AS (SELECT 1), ${recordedFor("one", 1, hasStatement)} SELECT count(*)::int AS recorded FROM recorded`;
}

/** The same for several entries, in one statement. */
export async function auditAll(tx: Tx, ctx: Context, entries: readonly AuditEntry[]): Promise<void> {
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
 * An administrator's name at the time, and the network address and browser that an owner used, which owners see in their
 * security log.
 */
function withOrigin(ctx: Context, data: AuditEntry["data"]): AuditEntry["data"] {
  const { actor, client } = ctx;
  if (actor.kind === "administrator" && actor.name) return { ...data, administrator: actor.name };
  return actor.kind === "owner" && client ? { ...data, ...originOf(ctx) } : data;
}

/** The network address and the browser's name, for the audit trail. Empty if no request is being answered. */
export function originOf({ client }: Context): { address?: string; device?: string } {
  return client ? { address: client.address, device: deviceWords(client.userAgent) } : {};
}

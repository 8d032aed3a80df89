import type { Context } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import type { CREDENTIAL_ENDED, EventType } from "#lib/kernel/event-types.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { Prisma } from "./generated/client.ts";
import { type LogFacts, statementValues } from "./log-statement.ts";
import type { Tx } from "./tx.ts";

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
export async function audit(tx: Tx, ctx: Context, entry: AuditEntry): Promise<void> {
  const columns = columnsOf(ctx, entry);
  const log = entry.event?.log;
  if (log) await recordWithStatement(tx, columns, statementValues({ kind: ctx.actor.kind, id: actorId(ctx) }, log));
  else await tx.auditEvent.create({ data: columns, select: { id: true } });
}

type Columns = ReturnType<typeof columnsOf>;

/** The event and its statement in the transparency log, in one round trip. */
async function recordWithStatement(tx: Tx, columns: Columns, log: ReturnType<typeof statementValues>): Promise<void> {
  const { id, at, actorKind, action, subjectKind, subjectId, reason, data, requestId, type, taskId, recipients } =
    columns;
  await tx.$executeRaw`
    WITH event AS (
      INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, reason, data, request_id,
        type, task_id, recipients, event_data)
      VALUES (${id}, ${at.toISOString()}::timestamptz, ${actorKind}, ${columns.actorId}, ${action}, ${subjectKind}, ${subjectId},
        ${reason}, ${data === undefined ? null : JSON.stringify(data)}::jsonb, ${requestId}, ${type}, ${taskId}, ${recipients},
        ${JSON.stringify(columns.eventData)}::jsonb)
      RETURNING seq, type, at
    )
    SELECT write_statement(seq, type, at, ${taskId ?? subjectId}, ${log.actor}, ${log.facts}, ${log.salt}, ${log.textSalt},
      ${log.origin}) FROM event`;
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
export function recipientList(recipients: WireEvent["recipients"]): string[] {
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

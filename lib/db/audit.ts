import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { Prisma } from "./generated/client.ts";
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
  | "stripe_event";

export type AuditEntry = {
  action: string;
  subjectKind: SubjectKind;
  subjectId: string;
  reason?: string | null;
  data?: Prisma.InputJsonObject;
};

/** The id under which an actor stands in the record. */
export function actorId(ctx: Context): string {
  return ctx.actor.kind === "visitor" ? "visitor" : ctx.actor.id;
}

/** Writes who did what into the record, in the transaction that does it. */
export async function audit(tx: Tx, ctx: Context, entry: AuditEntry): Promise<void> {
  await tx.auditEvent.create({
    data: {
      id: newId("evt"),
      at: ctx.clock.now(),
      actorKind: ctx.actor.kind,
      actorId: actorId(ctx),
      action: entry.action,
      subjectKind: entry.subjectKind,
      subjectId: entry.subjectId,
      reason: entry.reason ?? null,
      data: withName(ctx, entry.data),
      requestId: ctx.requestId,
    },
  });
}

/** The name that an administrator had when it acted stands in the record for good. */
function withName({ actor }: Context, data: AuditEntry["data"]): AuditEntry["data"] {
  return actor.kind === "administrator" && actor.name ? { ...data, administrator: actor.name } : data;
}

import type { Context } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
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
  | "stripe_event"
  | "secret";

export type AuditEntry = {
  action: string;
  subjectKind: SubjectKind;
  subjectId: string;
  reason?: string | null;
  data?: Prisma.InputJsonObject;
};

/** The actor's ID in the audit trail. */
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
      data: withOrigin(ctx, entry.data),
      requestId: ctx.requestId,
    },
  });
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

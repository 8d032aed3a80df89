import { audit, originOf } from "#lib/db/audit.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";

/** Something that happened to an owner's account. */
export type SecurityEvent = {
  ownerId: string;
  /** A verb, such as `sign_in`; the page says it in the words of security-words.ts. */
  action: string;
  /** What a reader needs besides; no secrets. */
  data?: Prisma.InputJsonObject;
};

/** Writes the event into the record, with the network address and browser of the request, where its owner reads it. */
export function recordSecurityEvent(tx: Tx, ctx: Context, { ownerId, action, data }: SecurityEvent): Promise<void> {
  return audit(tx, ctx, {
    action,
    subjectKind: "owner",
    subjectId: ownerId,
    data: { ...data, ...originOf(ctx) },
  });
}

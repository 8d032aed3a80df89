import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context, OwnerContext } from "#lib/kernel/context.ts";
import { digestSecret } from "#lib/kernel/secrets.ts";
import { recordSecurityEvent } from "./security-log.ts";

/** Ends one session; it is over for every browser that holds its cookie. */
export async function signOut(ctx: Context, sid: string): Promise<void> {
  await transaction(async (tx) => {
    const where = { idDigest: Uint8Array.from(digestSecret(sid)), revokedAt: null };
    const session = await tx.ownerSession.findFirst({ where, select: { ownerId: true } });
    if (!session) return;
    await tx.ownerSession.updateMany({ where, data: { revokedAt: ctx.clock.now() } });
    await recordSecurityEvent(tx, ctx, { ownerId: session.ownerId, action: "sign_out" });
  });
}

/** Ends all sessions of the caller, this one too. */
export function signOutEverywhere(ctx: OwnerContext) {
  return transaction(async (tx) => {
    const revoked = await revokeSessions(tx, ctx, null);
    await audit(tx, ctx, {
      action: "sign_out_everywhere",
      subjectKind: "owner",
      subjectId: ctx.actor.id,
      data: { revoked },
    });
    return { revoked_sessions: revoked };
  });
}

/** Ends the caller's live sessions but the one under `kept`, and says how many. */
export async function revokeSessions(tx: Tx, ctx: OwnerContext, kept: Buffer | null): Promise<number> {
  const now = ctx.clock.now();
  const { count } = await tx.ownerSession.updateMany({
    where: {
      ownerId: ctx.actor.id,
      revokedAt: null,
      expiresAt: { gt: now },
      ...(kept ? { NOT: { idDigest: Uint8Array.from(kept) } } : {}),
    },
    data: { revokedAt: now },
  });
  return count;
}

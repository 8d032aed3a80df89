import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { allDigests } from "#lib/kernel/secrets.ts";

/** Ends one session; it is over for every browser that holds its cookie. */
export async function signOut(sid: string): Promise<void> {
  await prisma().ownerSession.updateMany({
    where: { idDigest: { in: allDigests(sid) }, revokedAt: null },
    data: { revokedAt: systemClock.now() },
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

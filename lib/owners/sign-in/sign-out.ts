import type { z } from "zod";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context, OwnerContext } from "#lib/kernel/context.ts";
import { deviceWords } from "#lib/kernel/device-words.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { EndSessionInput } from "../schema.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { CLEAR_SITE_DATA, sessionRemoval } from "../sessions/cookies.ts";
import { findAnySession } from "../sessions/session.ts";

/** Ends one session, for every browser that has its cookie. */
export async function signOut(ctx: Context, sid: string): Promise<void> {
  const session = await findAnySession(sid);
  if (!session) return;
  await transaction(async (tx) => {
    const where = { id: session.sessionId, revokedAt: null };
    const { count } = await tx.ownerSession.updateMany({ where, data: { revokedAt: ctx.clock.now() } });
    if (count > 0) await recordSecurityEvent(tx, ctx, { ownerId: session.id, action: "sign_out" });
  });
}

/** Ends all of the caller's sessions, including this one. */
export function signOutEverywhere(ctx: OwnerContext) {
  return transaction(async (tx) => {
    const revoked = await revokeSessions(tx, ctx, null);
    await recordSecurityEvent(tx, ctx, { ownerId: ctx.actor.id, action: "sign_out_everywhere", data: { revoked } });
    return signedOut(revoked);
  });
}

/**
 * Ends one of the caller's sessions, which may be this one.
 * @throws ApiError not_found when it isn't the caller's, or has ended
 */
export function endSession(ctx: OwnerContext, { session_id: id }: z.output<typeof EndSessionInput>) {
  const { id: ownerId, sessionId } = ctx.actor;
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    const where = { id, ownerId, revokedAt: null, expiresAt: { gt: now } };
    const session = await tx.ownerSession.findFirst({ where, select: { userAgent: true } });
    const { count } = await tx.ownerSession.updateMany({ where, data: { revokedAt: now } });
    if (!session || count === 0) throw notFound();
    const data = { session_id: id, ended_device: deviceWords(session.userAgent) };
    await recordSecurityEvent(tx, ctx, { ownerId, action: "end_session", data });
    return id === sessionId ? signedOut(1) : { revoked_sessions: 1 };
  });
}

function signedOut(revoked: number) {
  return new Reply(200, { revoked_sessions: revoked }, { ...CLEAR_SITE_DATA, "Set-Cookie": sessionRemoval() });
}

/** Ends the caller's live sessions, except the one with this digest. @returns how many it ended */
export async function revokeSessions(tx: Tx, ctx: OwnerContext, exceptDigest: Buffer | null): Promise<number> {
  const now = ctx.clock.now();
  const { count } = await tx.ownerSession.updateMany({
    where: {
      ownerId: ctx.actor.id,
      revokedAt: null,
      expiresAt: { gt: now },
      ...(exceptDigest ? { NOT: { idDigest: Uint8Array.from(exceptDigest) } } : {}),
    },
    data: { revokedAt: now },
  });
  return count;
}

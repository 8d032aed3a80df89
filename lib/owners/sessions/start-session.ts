import { type Tx, transaction } from "#lib/db/tx.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { rememberDevice } from "../sign-in/known-device.ts";
import { findAnyInCookie, openSession, replaceAwaiting } from "./session.ts";
import { sessionSetCookie } from "./session-token.ts";

/** How the owner signed in: an OAuth provider or a factor. */
export type SignInMethod = "password" | "github" | "google" | "passkey" | "totp" | "recovery_code";

export type StartedSession = {
  sid: string;
  /** The session needs the second factor at `SECOND_STEP_PATH`, and can do nothing else until then. */
  awaitsFactor: boolean;
  /** The `Set-Cookie` value that makes the browser a known device; undefined before the second step. */
  deviceCookie: string | undefined;
};

/** The page for a session that awaits its second factor; `return_to` names the page after it. */
export const SECOND_STEP_PATH = "/sign-in/second-step";

type Proof = {
  ownerId: string;
  how: SignInMethod;
  /** The password hash that was verified, if it was a password. */
  passwordHash?: string;
  /** The proof covers both factors, like a passkey that checked its user, so there is no second step. */
  complete?: boolean;
  /** Called once the account is locked: whether the linked sign-in or passkey used still belongs to the account. */
  holds?(tx: Tx): Promise<boolean>;
};

/**
 * Opens a session for an owner after a valid proof, ends the browser's previous session, and records the sign-in in the
 * security log. An account with a second factor gets a session that awaits it, unless the proof is complete.
 * @throws ApiError forbidden, reason `account_disabled`, which only the owner learns, after a valid proof; invalid_credential when the
 *   account was deleted, or the password changed since it was verified
 */
export async function startSession(ctx: Context, proof: Proof): Promise<StartedSession> {
  const { ownerId, how, passwordHash, complete = false, holds = async () => true } = proof;
  const cookie = ctx.client?.cookie ?? null;
  const earlier = await findAnyInCookie(cookie);
  return transaction(async (tx) => {
    // Adding a first factor takes the same lock: either it sees this session and ends it, or this reads the factor.
    await tx.$executeRaw`SELECT 1 FROM owners WHERE id = ${ownerId} FOR SHARE`;
    const owner = await tx.owner.findUnique({
      where: { id: ownerId },
      select: {
        disabledAt: true,
        totp: { select: { confirmedAt: true } },
        passkeys: { select: { id: true }, take: 1 },
      },
    });
    if (owner?.disabledAt) throw accountDisabled();
    const hasFactor = owner !== null && (owner.passkeys.length > 0 || owner.totp?.confirmedAt != null);
    const awaitsFactor = hasFactor && !complete;
    const { userAgent = null, address } = ctx.client ?? {};
    const opening = {
      ownerId,
      userAgent,
      awaitsFactor,
      ...(address && { address }),
      ...(passwordHash && { passwordHash }),
    };
    const sid = await openSession(opening, tx);
    // With the lock held, check that the proof wasn't removed meanwhile, for example by promoting the account.
    if (!sid || !(await holds(tx)))
      throw new ApiError("invalid_credential", "This account changed while you were signing in. Sign in again.");
    if (earlier) {
      const where = { id: earlier.sessionId, revokedAt: null };
      await tx.ownerSession.updateMany({ where, data: { revokedAt: ctx.clock.now() } });
    }
    await recordSecurityEvent(tx, ctx, {
      ownerId,
      action: awaitsFactor ? "sign_in_first_step" : "sign_in",
      data: { how },
    });
    return { sid, awaitsFactor, deviceCookie: awaitsFactor ? undefined : rememberDevice(cookie, ownerId) };
  });
}

function accountDisabled(): ApiError {
  return new ApiError("forbidden", "This account is disabled. Ask the administrator of this service to enable it.", {
    reason: "account_disabled",
  });
}

/**
 * Makes a session that awaited its second factor a full one, under a new ID that replaces the old.
 * @param owner from `findAwaitingFactor`, after its factor was checked
 * @throws ApiError invalid_credential when the session has ended, or was completed at the same moment
 */
export async function completeSignIn(ctx: Context, owner: OwnerActor, how: SignInMethod): Promise<StartedSession> {
  return transaction(async (tx) => {
    const sid = await replaceAwaiting(owner.sessionDigest, ctx.clock.now(), tx);
    if (!sid) throw new ApiError("invalid_credential", "This sign-in has expired. Sign in again.");
    await recordSecurityEvent(tx, ctx, { ownerId: owner.id, action: "sign_in", data: { how } });
    return { sid, awaitsFactor: false, deviceCookie: rememberDevice(ctx.client?.cookie ?? null, owner.id) };
  });
}

/** The `Set-Cookie` values that give a started session to the browser, for our own endpoints; next-auth writes its own. */
export async function setCookiesOf({ sid, deviceCookie }: StartedSession): Promise<string[]> {
  return [await sessionSetCookie(sid), ...(deviceCookie ? [deviceCookie] : [])];
}

import { type Tx, transaction } from "#lib/db/tx.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { rememberDevice } from "./known-device.ts";
import { recordSecurityEvent } from "./security-log.ts";
import { findAnyInCookie, openSession, replaceAwaiting, sessionSetCookie } from "./session.ts";

/** How somebody proved to be the account's owner; a name of the OAuth provider, or of a factor. */
export type SignInMethod = "password" | "github" | "google" | "passkey" | "totp" | "recovery_code";

export type StartedSession = {
  sid: string;
  /** The first step is done; the second factor is asked for at `SECOND_STEP_PATH`, and until then the session opens nothing. */
  awaitsFactor: boolean;
  /** `Set-Cookie` value that makes the browser known to the account; undefined before the second step. */
  deviceCookie: string | undefined;
};

/** Where a browser goes whose session awaits its second factor; `return_to` says where from there. */
export const SECOND_STEP_PATH = "/sign-in/second-step";

type Proof = {
  ownerId: string;
  how: SignInMethod;
  /** The hash that was verified, where a password was. */
  passwordHash?: string;
  /** Both factors at once, as by a passkey that has checked its user: there is no second step. */
  complete?: boolean;
  /** Asked once the account is locked: whether the linked sign-in or passkey that was used is still the account's. */
  holds?(tx: Tx): Promise<boolean>;
};

/**
 * Opens a session for an owner who has just proved to be one, ends the one that the same browser held before, and writes it
 * into the security log. An account with a second factor gets a session that awaits it, unless the proof is complete.
 * @throws ApiError forbidden, reason `account_disabled`: only those who proved to be the owner learn it; invalid_credential
 *   when the account was deleted, or the password changed since it was verified
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
    // What was proved may have been removed since, by an administrator who promoted the account. The lock is ours by now.
    if (!sid || !(await holds(tx)))
      throw new ApiError("invalid_credential", "This account is not open for signing in.");
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
 * @throws ApiError invalid_credential when the session is over, or was completed at the same moment
 */
export async function completeSignIn(ctx: Context, owner: OwnerActor, how: SignInMethod): Promise<StartedSession> {
  return transaction(async (tx) => {
    const sid = await replaceAwaiting(owner.sessionDigest, ctx.clock.now(), tx);
    if (!sid) throw new ApiError("invalid_credential", "This sign-in is over. Start again with your password.");
    await recordSecurityEvent(tx, ctx, { ownerId: owner.id, action: "sign_in", data: { how } });
    return { sid, awaitsFactor: false, deviceCookie: rememberDevice(ctx.client?.cookie ?? null, owner.id) };
  });
}

/** The `Set-Cookie` values that hand a started session to the browser, for endpoints of ours; next-auth writes its own. */
export async function setCookiesOf({ sid, deviceCookie }: StartedSession): Promise<string[]> {
  return [await sessionSetCookie(sid), ...(deviceCookie ? [deviceCookie] : [])];
}

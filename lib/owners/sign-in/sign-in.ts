import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { authenticationCode } from "#lib/kernel/keys.ts";
import { normalizeText, verbatimText } from "#lib/kernel/text.ts";
import { verifyPassword } from "../account/password.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import { limitGuesses } from "./guessing.ts";

type Input = { email: string; password: string };

/**
 * Signs in with an e-mail address and a password. An address without an account fails like a wrong password, with the same message
 * and after the same work.
 * @throws ApiError invalid_credential; forbidden, reason `account_disabled`, when the password was right; rate_limited after
 *   too many failures (see guessing.ts)
 */
export async function signIn(ctx: Context & { client: Client }, { email, password }: Input): Promise<StartedSession> {
  const normalEmail = normalizeText(email).toLowerCase();
  const owner = await prisma().owner.findUnique({
    where: { email: normalEmail },
    select: { id: true, passwordHash: true },
  });
  const { result: passwordHash, isSlowedFromNow } = await limitGuesses(
    ctx,
    { email: normalEmail, ownerId: owner?.id },
    async () => ((await verifyPassword(owner?.passwordHash, verbatimText(password))) ? owner?.passwordHash : undefined),
  );
  if (!owner || !passwordHash) {
    if (owner) await recordFailure(ctx, owner.id, isSlowedFromNow);
    else await matchTiming(ctx, normalEmail);
    throw new ApiError("invalid_credential", "The e-mail address or password is wrong.");
  }
  return startSession(ctx, { ownerId: owner.id, how: "password", passwordHash });
}

/** Attempts that a limit refused write nothing, so strangers cannot fill an owner's log. */
function recordFailure(ctx: Context, ownerId: string, isSlowedFromNow: boolean): Promise<void> {
  return transaction(async (tx) => {
    await recordSecurityEvent(tx, ctx, { ownerId, action: "sign_in_failed", data: { how: "password" } });
    if (isSlowedFromNow) await recordSecurityEvent(tx, ctx, { ownerId, action: "sign_in_slowed" });
  });
}

/**
 * An address without an account answers after the same work: a transaction that writes. Otherwise the time would tell which
 * addresses have accounts.
 */
function matchTiming(ctx: Context, email: string): Promise<number> {
  // Spread over 4,096 rows, so that guesses neither wait for each other nor fill the table; expired rows are removed hourly.
  const key = `sign_in_nobody:${authenticationCode("rate limit key", email).toString("base64url").slice(0, 2)}`;
  const now = ctx.clock.now().getTime();
  return transaction(
    (tx) => tx.$executeRaw`
      INSERT INTO rate_limits (key, points, expire) VALUES (${key}, 1, ${now})
      ON CONFLICT (key) DO UPDATE SET expire = excluded.expire`,
  );
}

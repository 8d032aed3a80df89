import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { authenticationCode } from "#lib/kernel/keys.ts";

/** What a challenge is for. An answer for one purpose is not valid for another. */
export type ChallengePurpose = "add_passkey" | "second_step" | "step_up" | "sign_in";

const TTL_SECONDS = 300;
/** Per session. Beyond this, a new challenge replaces the oldest. */
const MAX_PER_SESSION = 5;
/** How many expired challenges each new one deletes. More than one, so that they cannot accumulate. */
const SWEEP = 100;

const digestOf = (challenge: string) =>
  Uint8Array.from(authenticationCode("credential digest", `webauthn ${challenge}`));

/**
 * Stores a challenge until it is answered or expires, after 5 minutes.
 * @param sessionId the session that has to answer it; null for a sign-in, which has no session yet
 */
export async function storeChallenge(
  { clock }: Pick<Context, "clock">,
  challenge: string,
  purpose: ChallengePurpose,
  sessionId: string | null,
): Promise<void> {
  const now = clock.now();
  await transaction(async (tx) => {
    await tx.$executeRaw`
      DELETE FROM owner_challenges WHERE digest IN (
        SELECT digest FROM owner_challenges WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${SWEEP}
        FOR UPDATE SKIP LOCKED)`;
    if (sessionId !== null) {
      // Simultaneous requests of one session wait for each other here, so that they cannot exceed the limit.
      await tx.$executeRaw`SELECT 1 FROM owner_sessions WHERE id = ${sessionId} FOR NO KEY UPDATE`;
      await tx.$executeRaw`
        DELETE FROM owner_challenges WHERE digest IN (
          SELECT digest FROM owner_challenges WHERE session_id = ${sessionId}
          ORDER BY expires_at DESC OFFSET ${MAX_PER_SESSION - 1})`;
    }
    await tx.ownerChallenge.create({
      data: { digest: digestOf(challenge), purpose, sessionId, expiresAt: secondsAfter(now, TTL_SECONDS) },
    });
  });
}

/** Whether the challenge was issued for this purpose to this session and is still open. It cannot be used again. */
export async function takeChallenge(
  { clock }: Pick<Context, "clock">,
  challenge: string,
  purpose: ChallengePurpose,
  sessionId: string | null,
): Promise<boolean> {
  const { count } = await prisma().ownerChallenge.deleteMany({
    where: { digest: digestOf(challenge), purpose, sessionId, expiresAt: { gt: clock.now() } },
  });
  return count === 1;
}

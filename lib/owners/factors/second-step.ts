import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { completeSignIn, setCookiesOf } from "../sessions/start-session.ts";
import { prove } from "./prove.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";
import type { SecondStepAnswer, SecondStepInput } from "./schema.ts";

const MAX_ATTEMPTS = 5;

/**
 * Completes a sign-in with the second factor: the session becomes a full one, under a new ID.
 * @param ctx its actor's session awaits the factor
 * @throws ApiError invalid_input for a wrong proof; invalid_credential when the session has ended, for example after five attempts;
 *   rate_limited after too many wrong codes for the account
 */
export async function takeSecondStep(
  ctx: OwnerContext,
  proof: z.output<typeof SecondStepInput>,
): Promise<Reply<z.output<typeof SecondStepAnswer>>> {
  const attempt = await countAttempt(ctx);
  const proved = attempt === undefined ? undefined : await prove(ctx, "second_step", proof);
  if (attempt === undefined || !proved) throw await endSignIn(ctx);
  if ("refusal" in proved) throw attempt < MAX_ATTEMPTS ? proved.refusal : await endSignIn(ctx);
  const started = await completeSignIn(ctx, ctx.actor, proved.how);
  const left = await countRecoveryCodes(ctx.actor.id);
  return new Reply(200, { recovery_codes_left: left }, { "Set-Cookie": await setCookiesOf(started) });
}

/** Counts before checking, so that simultaneous attempts cannot exceed the limit. Undefined when none is left. */
async function countAttempt({ actor }: OwnerContext): Promise<number | undefined> {
  const [row] = await prisma().$queryRaw<{ attempts: number }[]>`
    UPDATE owner_sessions SET factor_attempts = factor_attempts + 1
    WHERE id_digest = ${actor.sessionDigest}::bytea AND awaits_factor AND revoked_at IS NULL
      AND factor_attempts < ${MAX_ATTEMPTS}
    RETURNING factor_attempts AS attempts`;
  return row?.attempts;
}

async function endSignIn({ actor, clock }: OwnerContext): Promise<ApiError> {
  await prisma().ownerSession.updateMany({
    where: { idDigest: Uint8Array.from(actor.sessionDigest), awaitsFactor: true, revokedAt: null },
    data: { revokedAt: clock.now() },
  });
  return new ApiError("invalid_credential", "This sign-in was ended after too many failed attempts. Sign in again.");
}

import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { iso, secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { verifyPassword } from "../account/password.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { CONFIRMED_SECONDS } from "../sessions/confirmation.ts";
import { confirmSession } from "../sessions/session.ts";
import { countingFailures } from "../sign-in/guessing.ts";
import { prove } from "./prove.ts";
import type { StepUpAnswer, StepUpInput } from "./schema.ts";

/**
 * Confirms that the caller is the owner, with a second factor or, if the account has none, with the password.
 * @throws ApiError invalid_input for a wrong proof, state_conflict for a kind of proof that the account doesn't have, rate_limited
 */
export async function stepUp(
  ctx: OwnerContext,
  { password, ...proof }: z.output<typeof StepUpInput>,
): Promise<z.output<typeof StepUpAnswer>> {
  const { id: ownerId, hasSecondFactor, sessionDigest } = ctx.actor;
  if (password === undefined && !hasSecondFactor) throw stateConflict("This account has no second factor.");
  const how = password === undefined ? await byFactor(ctx, proof) : await byPassword(ctx, password);
  const now = ctx.clock.now();
  await transaction(async (tx) => {
    await confirmSession(sessionDigest, now, tx);
    await recordSecurityEvent(tx, ctx, { ownerId, action: "confirm", data: { how } });
  });
  return { confirmed_until: iso(secondsAfter(now, CONFIRMED_SECONDS)) };
}

async function byFactor(ctx: OwnerContext, proof: Parameters<typeof prove>[2]): Promise<string> {
  const proved = await prove(ctx, "step_up", proof);
  if ("refusal" in proved) throw proved.refusal;
  return proved.how;
}

async function byPassword(ctx: OwnerContext, password: string): Promise<string> {
  const { id, hasSecondFactor } = ctx.actor;
  if (hasSecondFactor)
    throw stateConflict("This account has a second factor. Confirm with that, not with the password.");
  const { passwordHash } = await prisma().owner.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } });
  if (passwordHash === null) {
    throw stateConflict("This account has no password. Sign in again to confirm that it is you.");
  }
  const matches = await countingFailures(
    "sign_in_failure",
    id,
    async () => (await verifyPassword(passwordHash, password)) || undefined,
  );
  if (matches) return "password";
  await transaction((tx) =>
    recordSecurityEvent(tx, ctx, { ownerId: id, action: "confirm_failed", data: { how: "password" } }),
  );
  throw invalidInput("password", "is wrong");
}

import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { iso, secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { CONFIRMED_SECONDS, requireRecentConfirmation } from "../sessions/confirmation.ts";
import { lockAccount } from "./factor-set.ts";
import { viewPasskey } from "./passkeys.ts";
import { countRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { type ConfirmWith, type FactorsAnswer, MAX_PASSKEYS, type RecoveryCodesAnswer } from "./schema.ts";

type Way = z.output<typeof ConfirmWith>;

/** The caller's second factors, and how this session can be confirmed. */
export async function readFactors(ctx: Pick<OwnerContext, "actor" | "clock">): Promise<z.output<typeof FactorsAnswer>> {
  const { id: ownerId, confirmedAt } = ctx.actor;
  const [owner, passkeys, left] = await Promise.all([
    prisma().owner.findUniqueOrThrow({
      where: { id: ownerId },
      select: { passwordHash: true, totp: { select: { confirmedAt: true } } },
    }),
    prisma().ownerPasskey.findMany({ where: { ownerId }, orderBy: { createdAt: "asc" }, take: MAX_PASSKEYS }),
    countRecoveryCodes(ownerId),
  ]);
  const totp = owner.totp?.confirmedAt != null;
  const until = confirmedAt && secondsAfter(confirmedAt, CONFIRMED_SECONDS);
  return {
    passkeys: passkeys.map(viewPasskey),
    totp,
    recovery_codes_left: left,
    confirmed_until: until && until > ctx.clock.now() ? iso(until) : null,
    confirm_with: waysOf({ passkey: passkeys.length > 0, totp, left, password: owner.passwordHash !== null }),
  };
}

function waysOf(has: { passkey: boolean; totp: boolean; left: number; password: boolean }): Way[] {
  if (!has.passkey && !has.totp) return has.password ? ["password"] : [];
  return [
    ...(has.passkey ? (["passkey"] as const) : []),
    ...(has.totp ? (["code"] as const) : []),
    ...(has.left > 0 ? (["recovery_code"] as const) : []),
  ];
}

/** The ways that the second-step page offers to the owner of a session that awaits its second factor. */
export async function secondStepWays(owner: OwnerActor): Promise<Way[]> {
  const [passkeys, totps, left] = await Promise.all([
    prisma().ownerPasskey.count({ where: { ownerId: owner.id } }),
    prisma().ownerTotp.count({ where: { ownerId: owner.id, confirmedAt: { not: null } } }),
    countRecoveryCodes(owner.id),
  ]);
  return waysOf({ passkey: passkeys > 0, totp: totps > 0, left, password: false });
}

/**
 * Replaces the caller's recovery codes.
 * @throws ApiError forbidden (step_up_required), state_conflict without a second factor
 */
export async function renewRecoveryCodes(ctx: OwnerContext): Promise<z.output<typeof RecoveryCodesAnswer>> {
  requireRecentConfirmation(ctx);
  const { id: ownerId } = ctx.actor;
  return transaction(async (tx) => {
    await lockAccount(tx, ctx);
    if (!ctx.actor.hasSecondFactor) {
      throw stateConflict("Recovery codes need a second factor. Add a passkey or an authenticator app first.");
    }
    await recordSecurityEvent(tx, ctx, { ownerId, action: "new_recovery_codes" });
    return { recovery_codes: await replaceRecoveryCodes(tx, ctx.clock, ownerId) };
  });
}

import type { Prisma } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { confirmSession, requireNotRevoked } from "../sessions/session.ts";
import { revokeSessions } from "../sign-in/sign-out.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";

// Adding and removing any kind of second factor. Every full session of an account with a second factor has passed one: adding the
// first factor ends the other sessions, and signing in waits for the same lock.

type Factor = { kind: "totp" } | { kind: "passkey"; name: string };

/**
 * Locks the account, so that changes to its second factors and sign-ins wait for each other.
 * @throws ApiError invalid_credential when the caller's session ended meanwhile
 */
export async function lockAccount(tx: Tx, { actor }: OwnerContext): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM owners WHERE id = ${actor.id} FOR NO KEY UPDATE`;
  await requireNotRevoked(tx, actor.sessionDigest);
}

async function hasFactor(tx: Tx, ownerId: string): Promise<boolean> {
  const [passkeys, totps] = await Promise.all([
    tx.ownerPasskey.count({ where: { ownerId } }),
    tx.ownerTotp.count({ where: { ownerId, confirmedAt: { not: null } } }),
  ]);
  return passkeys + totps > 0;
}

/**
 * Adds a second factor. The first one comes with recovery codes and ends the account's other sessions, which have not passed one.
 * @returns the recovery codes; null unless it was the first
 */
export function addFactor(ctx: OwnerContext, factor: Factor, add: (tx: Tx) => Promise<void>): Promise<string[] | null> {
  const { id: ownerId, sessionDigest } = ctx.actor;
  return transaction(async (tx) => {
    await lockAccount(tx, ctx);
    const isFirst = !(await hasFactor(tx, ownerId));
    await add(tx);
    // Adding it proved that the owner has it.
    await confirmSession(sessionDigest, ctx.clock.now(), tx);
    await recordSecurityEvent(tx, ctx, { ownerId, action: `add_${factor.kind}`, data: dataOf(factor) });
    if (!isFirst) return null;
    await revokeSessions(tx, ctx, sessionDigest);
    return replaceRecoveryCodes(tx, ctx.clock, ownerId);
  });
}

/** Removes a second factor, and with the last one the recovery codes. */
export function removeFactor(
  ctx: OwnerContext,
  factor: Factor,
  remove: (tx: Tx) => Promise<void>,
): Promise<{ has_second_factor: boolean }> {
  const { id: ownerId } = ctx.actor;
  return transaction(async (tx) => {
    await lockAccount(tx, ctx);
    await remove(tx);
    await recordSecurityEvent(tx, ctx, { ownerId, action: `remove_${factor.kind}`, data: dataOf(factor) });
    const hasOthers = await hasFactor(tx, ownerId);
    if (!hasOthers) await tx.ownerRecoveryCode.deleteMany({ where: { ownerId } });
    return { has_second_factor: hasOthers };
  });
}

function dataOf(factor: Factor): Prisma.InputJsonObject {
  return factor.kind === "passkey" ? { passkey: factor.name } : {};
}

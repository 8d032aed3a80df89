import type { Tx } from "#lib/db/tx.ts";

/**
 * Removes everything that gives access to an account except its password: sessions, linked sign-ins, passkeys, authenticator
 * app, recovery codes.
 */
export async function removeCredentials(tx: Tx, ownerId: string): Promise<void> {
  const where = { ownerId };
  await tx.ownerSession.deleteMany({ where });
  await tx.ownerLogin.deleteMany({ where });
  await tx.ownerPasskey.deleteMany({ where });
  await tx.ownerTotp.deleteMany({ where });
  await tx.ownerRecoveryCode.deleteMany({ where });
}

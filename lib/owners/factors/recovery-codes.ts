import { randomBytes } from "node:crypto";
import { prisma } from "#lib/db/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Clock } from "#lib/kernel/clock.ts";
import { allDigests, digestSecret, equalBytes } from "#lib/kernel/secrets.ts";
import { RECOVERY_CODES } from "./schema.ts";

// Crockford's base32: 32 characters, none of which look alike. Ten characters hold 50 bits.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 10;

/** Ten random characters, as `k3v9d-x7m2q`. */
function newCode(): string {
  const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return `${characters.slice(0, LENGTH / 2)}-${characters.slice(LENGTH / 2)}`;
}

/** The canonical form of a typed code. Letters that look like digits are read as digits. */
function canonicalCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, "").replace(/o/g, "0").replace(/[il]/g, "1");
}

const keyed = (ownerId: string, code: string) => `recovery code ${ownerId} ${canonicalCode(code)}`;

/** Replaces all recovery codes of the account with new ones, which cannot be shown again. */
export async function replaceRecoveryCodes(tx: Tx, clock: Clock, ownerId: string): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(newCode());
  const createdAt = clock.now();
  await tx.ownerRecoveryCode.deleteMany({ where: { ownerId } });
  await tx.ownerRecoveryCode.createMany({
    data: [...codes].map((code) => ({
      ownerId,
      digest: Uint8Array.from(digestSecret(keyed(ownerId, code))),
      createdAt,
    })),
  });
  return [...codes];
}

/** Uses up one code. False when the code isn't the account's, or was used before. */
export async function acceptRecoveryCode(clock: Clock, ownerId: string, code: string): Promise<boolean> {
  const unused = await prisma().ownerRecoveryCode.findMany({
    where: { ownerId, usedAt: null },
    select: { digest: true },
  });
  const digests = allDigests(keyed(ownerId, code));
  const found = unused.find(({ digest }) => digests.some((each) => equalBytes(each, digest)));
  if (!found) return false;
  const { count } = await prisma().ownerRecoveryCode.updateMany({
    where: { ownerId, digest: found.digest, usedAt: null },
    data: { usedAt: clock.now() },
  });
  return count === 1;
}

/** How many codes the account has left. */
export function countRecoveryCodes(ownerId: string): Promise<number> {
  return prisma().ownerRecoveryCode.count({ where: { ownerId, usedAt: null } });
}

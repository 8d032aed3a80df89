import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { countCharacters } from "#lib/kernel/text.ts";
import { MAX_PASSWORD } from "./schema.ts";

// argon2id (2) at 19 MiB, two passes and one lane: the least that OWASP advises, some 30 ms of one core.
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Where there is no hash (no such account, or one without a password) a
 * decoy is verified instead, so that the answer takes as long.
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(32).toString("base64url"));
  const other = await decoy;
  const isTooLong = countCharacters(password) > MAX_PASSWORD;
  const matches = await verify(passwordHash ?? other, isTooLong ? "" : password);
  return matches && !isTooLong && typeof passwordHash === "string";
}

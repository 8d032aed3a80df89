import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { countCharacters } from "#lib/kernel/text.ts";
import { MAX_PASSWORD } from "../schema.ts";

// argon2id (2) with 19 MiB, two passes and one lane: OWASP's minimum, about 30 ms on one core.
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password matches the hash. Without a hash (no such account, or one without a password) a decoy is verified, so that the
 * answer takes as long.
 */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(32).toString("base64url"));
  const other = await decoy;
  const isTooLong = countCharacters(password) > MAX_PASSWORD;
  const matches = await verify(passwordHash ?? other, isTooLong ? "" : password);
  return matches && !isTooLong && typeof passwordHash === "string";
}

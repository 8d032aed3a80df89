import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { digestSecret } from "#lib/kernel/secrets.ts";

/** Keys the digests of the benchmark's own data sets, and nothing else. */
export const BENCH_SECRET = "the data of the benchmark is synthetic and this secret keeps nothing";

/** The management token of synthetic agent number `n`: well-formed, and the same in every run. */
export function tokenOf(n: number): string {
  const bytes = createHash("sha256").update(`guildhall bench agent ${n}`).digest().subarray(0, 28);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(bytes));
  return `ghm_${Buffer.concat([bytes, check]).toString("base64url")}`;
}

/** What the database keeps instead of it. */
export function digestOf(n: number): Buffer {
  return digestSecret(tokenOf(n));
}

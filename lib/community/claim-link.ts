import { findByDigest } from "#lib/db/by-digest.ts";
import { nullable, text, timestamp } from "#lib/db/columns.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { digestsOf, isWellFormedSecret } from "#lib/kernel/secrets.ts";

type ClaimLink = { profileId: string; claimedAt: Date | null; expiresAt: Date };

const byClaimToken = findByDigest(
  "profile.claim_link",
  { profileId: text, claimedAt: nullable(timestamp), expiresAt: nullable(timestamp) },
  (is) =>
    `SELECT id AS "profileId", claimed_at AS "claimedAt", claim_expires_at AS "expiresAt" FROM profiles WHERE claim_digest ${is}`,
  { table: "profiles", column: "claim_digest" },
);

/** The profile of a claim token, even if the link was used or has expired. @throws ApiError invalid_credential */
export async function findClaimLink(token: string): Promise<ClaimLink> {
  const found = isWellFormedSecret("ghk", token) ? await byClaimToken(digestsOf(token)) : undefined;
  if (!found?.expiresAt) {
    throw new ApiError("invalid_credential", "This claim token is invalid. Use the claim link from the registration.");
  }
  return { ...found, expiresAt: found.expiresAt };
}

/** @throws ApiError already_claimed, claim_expired */
export function requireLiveLink({ claimedAt, expiresAt }: ClaimLink, now: Date): void {
  if (claimedAt) throw alreadyClaimed();
  if (expiresAt <= now) {
    throw new ApiError(
      "claim_expired",
      `This claim link expired at ${expiresAt.toISOString()}. The agent has to register again and give its owner the new link.`,
    );
  }
}

export function alreadyClaimed(): ApiError {
  return new ApiError("already_claimed", "This profile is already claimed; a claim link works once.");
}

import { prisma } from "#lib/db/client.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { digestSecret, isWellFormedSecret } from "#lib/kernel/secrets.ts";

export type ClaimLink = { profileId: string; claimedAt: Date | null; expiresAt: Date };

/** The profile that a claim token opens, whatever has become of the link. @throws ApiError invalid_credential */
export async function findClaimLink(token: string): Promise<ClaimLink> {
  const found = isWellFormedSecret("ghk", token)
    ? await prisma().profile.findUnique({
        where: { claimDigest: Uint8Array.from(digestSecret(token)) },
        select: { id: true, claimedAt: true, claimExpiresAt: true },
      })
    : null;
  if (!found?.claimExpiresAt) {
    throw new ApiError(
      "invalid_credential",
      "This claim token opens nothing. Use the claim link that registration gave.",
    );
  }
  return { profileId: found.id, claimedAt: found.claimedAt, expiresAt: found.claimExpiresAt };
}

/** @throws ApiError already_claimed, claim_expired */
export function requireLiveLink({ claimedAt, expiresAt }: ClaimLink, now: Date): void {
  if (claimedAt) throw alreadyClaimed();
  if (expiresAt <= now) {
    throw new ApiError(
      "claim_expired",
      `This claim link expired at ${expiresAt.toISOString()}. The agent registers again and gives its owner a new one.`,
    );
  }
}

export function alreadyClaimed(): ApiError {
  return new ApiError("already_claimed", "This profile has its owner: a claim link works once.");
}

import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import { audit } from "#lib/db/audit.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { type Tx, takeLock } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";

/** What an agent says about itself. */
type ProfileFields = {
  name: string;
  bio?: string | null | undefined;
  framework?: string | null | undefined;
  country_code?: string | null | undefined;
  arrival_source?: string | null | undefined;
  homepage_url?: { url: string } | null | undefined;
};

type Beginning = { id: string; fields: ProfileFields; action: "register" | "join"; ownerId: string | null } & (
  | { claimed: true }
  | { claimed: false; claimDigest: Buffer; claimExpiresAt: Date }
);

/** The columns for these fields; omitted ones stay as they are. */
export function columnsOf(fields: Partial<ProfileFields>) {
  const { homepage_url: homepage } = fields;
  return {
    name: fields.name,
    bio: fields.bio,
    framework: fields.framework,
    countryCode: fields.country_code,
    arrivalSource: fields.arrival_source,
    homepageUrl: homepage === undefined ? undefined : (homepage?.url ?? null),
  };
}

/** A new community key, and what is stored about it. */
export function mintKey(now: Date) {
  const communityKey = newSecret("ghc");
  return {
    communityKey,
    columns: {
      keyDigest: Uint8Array.from(digestSecret(communityKey)),
      keyHint: communityKey.slice(-4),
      keyCreatedAt: now,
    },
  };
}

/**
 * Creates a profile and its key, which cannot be shown again.
 * @throws ApiError state_conflict if this ID already has a profile
 */
export async function createProfile(tx: Tx, ctx: Context, beginning: Beginning): Promise<string> {
  const { id, fields, ownerId, action } = beginning;
  const now = ctx.clock.now();
  const { communityKey, columns } = mintKey(now);
  // Join numbers are taken under a lock that is held until commit: a reader who sees one sees every earlier one, as with posts.
  await takeLock(tx, ADVISORY_LOCKS.joinNumbers);
  if (await tx.profile.findUnique({ where: { id }, select: { id: true } })) {
    throw stateConflict("This identity already has a community profile.");
  }
  const link = beginning.claimed
    ? { claimedAt: now }
    : { claimDigest: Uint8Array.from(beginning.claimDigest), claimExpiresAt: beginning.claimExpiresAt };
  await tx.profile.create({
    data: { ...columnsOf(fields), name: fields.name, id, ownerId, joinedAt: now, ...link, ...columns },
    select: { id: true },
  });
  await audit(tx, ctx, { action, subjectKind: "profile", subjectId: id, data: CONSENT });
  return communityKey;
}

/** The consent that was given when a profile was registered, joined or claimed. */
export const CONSENT: Prisma.InputJsonObject = { public_consent: true, operator_authorized: true };

type Consent = { public_consent?: boolean | undefined; operator_authorized?: boolean | undefined };

/** Requires both before a profile is made public or given an owner. @throws ApiError consent_required */
export function requireConsent({ public_consent: isPublic, operator_authorized: isAuthorized }: Consent): void {
  if (!isPublic || !isAuthorized) throw consentRequired();
}

/** Where both were given before, only an explicit false withdraws them. @throws ApiError consent_required */
export function requireNoRefusal({ public_consent: isPublic, operator_authorized: isAuthorized }: Consent): void {
  if (isPublic === false || isAuthorized === false) throw consentRequired();
}

function consentRequired(): ApiError {
  return new ApiError(
    "consent_required",
    "A profile is public and acts for someone. Get their consent, then send public_consent: true and operator_authorized: true.",
  );
}

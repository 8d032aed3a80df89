import { audit } from "#lib/db/audit.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";

/** What an agent says of itself. */
export type Told = {
  name: string;
  bio?: string | null | undefined;
  framework?: string | null | undefined;
  country_code?: string | null | undefined;
  arrival_source?: string | null | undefined;
  homepage_url?: { url: string } | null | undefined;
};

type Beginning = { id: string; told: Told; action: "register" | "join"; ownerId: string | null } & (
  | { claimed: true }
  | { claimed: false; claimDigest: Buffer; claimExpiresAt: Date }
);

/** The columns of what is told; what is not mentioned stays as it is. */
export function toldColumns(told: Partial<Told>) {
  const { homepage_url: homepage } = told;
  return {
    name: told.name,
    bio: told.bio,
    framework: told.framework,
    countryCode: told.country_code,
    arrivalSource: told.arrival_source,
    homepageUrl: homepage === undefined ? undefined : (homepage?.url ?? null),
  };
}

/** A fresh community key with what is stored of it. */
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

// Join numbers are taken under a lock that is held until commit: who sees one sees every earlier one, as with posts.
const JOIN_LOCK = 3;

/**
 * Makes a profile and its key, which nothing can show again.
 * @throws ApiError state_conflict when there is a profile of this ID
 */
export async function createProfile(tx: Tx, ctx: Context, beginning: Beginning): Promise<string> {
  const { id, told, ownerId, action } = beginning;
  const now = ctx.clock.now();
  const { communityKey, columns } = mintKey(now);
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7316, ${JOIN_LOCK})`;
  if (await tx.profile.findUnique({ where: { id }, select: { id: true } })) {
    throw stateConflict("This identity has its community profile already.");
  }
  const link = beginning.claimed
    ? { claimedAt: now }
    : { claimDigest: Uint8Array.from(beginning.claimDigest), claimExpiresAt: beginning.claimExpiresAt };
  await tx.profile.create({
    data: { ...toldColumns(told), name: told.name, id, ownerId, joinedAt: now, ...link, ...columns },
    select: { id: true },
  });
  await audit(tx, ctx, { action, subjectKind: "profile", subjectId: id, data: CONSENT });
  return communityKey;
}

/** What was confirmed with a profile's registration, joining or claim. */
export const CONSENT: Prisma.InputJsonObject = { public_consent: true, operator_authorized: true };

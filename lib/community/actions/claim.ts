import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { requireStillOpen } from "#lib/owners/session.ts";
import { alreadyClaimed, findClaimLink, requireLiveLink } from "../claim-link.ts";
import { requireConsent } from "../consent.ts";
import { CONSENT } from "../create-profile.ts";
import { showProfile } from "../profiles.ts";
import { requireOwned } from "../read.ts";
import type { ClaimInput, ProfileAnswer } from "../schema.ts";

/**
 * Makes the caller the profile's owner. If several try at once, one succeeds. The used link stays known, so that later attempts
 * are told that it was used.
 * @throws ApiError invalid_credential, consent_required, already_claimed, claim_expired
 */
export async function claimProfile(
  ctx: OwnerContext,
  input: z.output<typeof ClaimInput>,
): Promise<z.output<typeof ProfileAnswer>> {
  const link = await findClaimLink(input.claim_token);
  requireConsent(input);
  const now = ctx.clock.now();
  requireLiveLink(link, now);
  const claimed = await transaction(async (tx) => {
    await requireStillOpen(tx, ctx.actor);
    const { count } = await tx.profile.updateMany({
      where: { id: link.profileId, claimedAt: null, claimDigest: { not: null }, claimExpiresAt: { gt: now } },
      data: { claimedAt: now, ownerId: ctx.actor.id },
    });
    if (count === 0) return false;
    await audit(tx, ctx, { action: "claim", subjectKind: "profile", subjectId: link.profileId, data: CONSENT });
    return true;
  });
  if (!claimed) {
    // Someone else claimed it first, or the link was reported as leaked and is now unknown.
    await findClaimLink(input.claim_token);
    throw alreadyClaimed();
  }
  return { profile: await showProfile(await requireOwned(ctx.actor, link.profileId), now) };
}

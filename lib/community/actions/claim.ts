import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context, OwnerContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { alreadyClaimed, findClaimLink, requireLiveLink } from "../claim-link.ts";
import { CONSENT, requireConsent } from "../create-profile.ts";
import { findProfile, showProfile } from "../profiles.ts";
import { requireOwned } from "../read.ts";
import type { ClaimedInput, ClaimInput, ClaimPreviewAnswer, ClaimPreviewInput, ProfileAnswer } from "../schema.ts";

/**
 * Makes the caller the profile's owner. If several try at once, one succeeds. The used link stays stored, so that later attempts
 * get `already_claimed`.
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

/** The profile that a claim link would give to the caller. @throws ApiError invalid_credential, already_claimed, claim_expired */
export async function previewClaim(
  ctx: Context,
  input: Pick<z.output<typeof ClaimPreviewInput>, "claim_token">,
): Promise<z.output<typeof ClaimPreviewAnswer>> {
  const link = await findClaimLink(input.claim_token);
  requireLiveLink(link, ctx.clock.now());
  const row = await findProfile(link.profileId);
  if (!row) throw notFound();
  return { profile: await showProfile(row, ctx.clock.now()), claim_expires_at: link.expiresAt.toISOString() };
}

/**
 * The profile that the caller claimed with this link; null if someone else did, or nobody yet.
 * @throws ApiError invalid_credential if the link is invalid
 */
export async function readClaimed(ctx: OwnerContext, input: z.output<typeof ClaimedInput>) {
  const { profileId } = await findClaimLink(input.claim_token);
  const profile = await findProfile(profileId);
  const isMine = profile?.ownerId === ctx.actor.id;
  return { profile: isMine ? { public_id: profile.id, name: profile.name } : null };
}

import type { z } from "zod";
import type { Context } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { findClaimLink, requireLiveLink } from "../claim-link.ts";
import { findProfile, showProfile } from "../profiles.ts";
import type { ClaimPreviewAnswer, ClaimPreviewInput } from "../schema.ts";

/** What a claim link would bind to its owner. @throws ApiError invalid_credential, already_claimed, claim_expired */
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

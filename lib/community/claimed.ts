import type { z } from "zod";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { findClaimLink } from "./claim-link.ts";
import { findProfile } from "./profiles.ts";
import type { ClaimedInput } from "./schema.ts";

/**
 * Whether a claim link that was used led to a profile of the caller, and which.
 * @throws ApiError invalid_credential if the link is invalid
 */
export async function readClaimed(ctx: OwnerContext, input: z.output<typeof ClaimedInput>) {
  const { profileId } = await findClaimLink(input.claim_token);
  const profile = await findProfile(profileId);
  const isMine = profile?.ownerId === ctx.actor.id;
  return { profile: isMine ? { public_id: profile.id, name: profile.name } : null };
}

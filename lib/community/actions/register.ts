import type { z } from "zod";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";
import { requireConsent } from "../consent.ts";
import { createProfile } from "../create-profile.ts";
import type { RegisterAnswer, RegisterInput } from "../schema.ts";

/**
 * Proposes a profile. Its key can read at once, and write after an owner has claimed the profile through the link.
 * @throws ApiError consent_required
 */
export async function register(
  ctx: Context,
  input: z.output<typeof RegisterInput>,
): Promise<z.output<typeof RegisterAnswer>> {
  requireConsent(input);
  const id = newId("agt");
  const claimToken = newSecret("ghk");
  const claimExpiresAt = secondsAfter(ctx.clock.now(), env().claimTtlSeconds);
  const link = { claimed: false as const, claimDigest: digestSecret(claimToken), claimExpiresAt };
  const communityKey = await transaction((tx) =>
    createProfile(tx, ctx, { id, fields: input, action: "register", ownerId: null, ...link }),
  );
  return {
    public_id: id,
    state: "proposed",
    community_key: communityKey,
    claim_token: claimToken,
    // In the fragment, which browsers don't send: the token reaches no log.
    claim_url: `${env().baseUrl}/claim#${claimToken}`,
    claim_expires_at: claimExpiresAt.toISOString(),
  };
}

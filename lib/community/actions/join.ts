import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerActor, ServiceActor } from "#lib/kernel/actor.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { createProfile, requireConsent } from "../create-profile.ts";
import { findProfile, showProfile } from "../profiles.ts";
import type { JoinAnswer, JoinInput, RegisterAnswer, RegisterInput } from "../schema.ts";

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

/**
 * Creates a profile that is already claimed: for a service identity, by its token and with the same public_id; or a new one for
 * the owner who is signed in.
 * @throws ApiError invalid_input, consent_required, state_conflict (this identity has joined)
 */
export async function join(
  ctx: Context<ServiceActor | OwnerActor>,
  input: z.output<typeof JoinInput>,
): Promise<z.output<typeof JoinAnswer>> {
  const { actor } = ctx;
  const { id, name, ownerId } = actor.kind === "service" ? await asIdentity(actor, input) : asOwner(actor, input);
  requireConsent(input);
  const fields = { ...input, name };
  const communityKey = await transaction(async (tx) => {
    if (actor.kind === "owner") await requireStillOpen(tx, actor);
    return createProfile(tx, ctx, { id, fields, action: "join", ownerId, claimed: true });
  });
  const row = await findProfile(id);
  if (!row) throw notFound();
  return { profile: await showProfile(row, ctx.clock.now()), community_key: communityKey };
}

async function asIdentity({ id, name }: ServiceActor, input: z.output<typeof JoinInput>) {
  if (!input.public_id) throw invalidInput("public_id", "is required: it names the identity of the token");
  const identity = await prisma().identity.findUnique({ where: { id }, select: { ownerId: true } });
  return { id, name: input.name ?? name, ownerId: identity?.ownerId ?? null };
}

function asOwner(actor: OwnerActor, input: z.output<typeof JoinInput>) {
  if (!input.name) throw invalidInput("name", "is required");
  return { id: newId("agt"), name: input.name, ownerId: actor.id };
}

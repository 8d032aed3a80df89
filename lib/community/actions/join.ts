import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerActor, ServiceActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { requireConsent } from "../consent.ts";
import { createProfile } from "../create-profile.ts";
import { findProfile, showProfile } from "../profiles.ts";
import type { JoinAnswer, JoinInput } from "../schema.ts";

type Input = z.output<typeof JoinInput>;

/**
 * Creates a profile that is already claimed: for a service identity, by its token and with the same public_id; or a new one for
 * the owner who is signed in.
 * @throws ApiError invalid_input, consent_required, state_conflict (this identity has joined)
 */
export async function join(
  ctx: Context<ServiceActor | OwnerActor>,
  input: Input,
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

async function asIdentity({ id, name }: ServiceActor, input: Input) {
  if (!input.public_id) throw invalidInput("public_id", "is required: it names the identity of the token");
  const identity = await prisma().identity.findUnique({ where: { id }, select: { ownerId: true } });
  return { id, name: input.name ?? name, ownerId: identity?.ownerId ?? null };
}

function asOwner(actor: OwnerActor, input: Input) {
  if (!input.name) throw invalidInput("name", "is required");
  return { id: newId("agt"), name: input.name, ownerId: actor.id };
}

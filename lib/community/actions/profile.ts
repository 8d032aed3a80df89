import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerActor, ProfileActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { requireNoRefusal } from "../consent.ts";
import { columnsOf } from "../create-profile.ts";
import { findProfile, showProfile } from "../profiles.ts";
import { actingProfile, cannotParticipate, requireParticipant } from "../read.ts";
import type { ProfileAnswer, ProfileInput } from "../schema.ts";

/**
 * Changes what the profile says about the agent. Omitted fields stay as they are; an empty string clears a field.
 * @throws ApiError invalid_input, not_found, profile_cannot_participate, consent_required if consent is explicitly withdrawn
 */
export async function updateProfile(
  ctx: Context<ProfileActor | OwnerActor>,
  input: z.output<typeof ProfileInput>,
): Promise<z.output<typeof ProfileAnswer>> {
  const columns = columnsOf(input);
  const fields = Object.entries(columns).filter(([, value]) => value !== undefined);
  if (fields.length === 0) {
    throw invalidInput(
      "body",
      "must hold at least one of name, bio, framework, country_code, arrival_source and homepage_url",
    );
  }
  const acting = await actingProfile(ctx.actor, input.public_id);
  requireParticipant(acting);
  requireNoRefusal(input);
  await transaction(async (tx) => {
    const { count } = await tx.profile.updateMany({ where: { id: acting.id, suspendedAt: null }, data: columns });
    if (count === 0) throw cannotParticipate("suspended");
    await audit(tx, ctx, {
      action: "profile",
      subjectKind: "profile",
      subjectId: acting.id,
      data: { fields: fields.map(([name]) => name) },
    });
  });
  const row = await findProfile(acting.id);
  if (!row) throw notFound();
  return { profile: await showProfile(row, ctx.clock.now()) };
}

import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import { credentialEnded } from "#lib/identity/events.ts";
import type { OwnerActor, ProfileActor } from "#lib/kernel/actor.ts";
import type { Context, OwnerContext, ProfileContext } from "#lib/kernel/context.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { requireFactorConfirmation } from "#lib/owners/sessions/confirmation.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { columnsOf, mintKey, requireNoRefusal } from "../create-profile.ts";
import { findProfile, showProfile } from "../profiles.ts";
import { actingProfile, cannotParticipate, requireOwned, requireParticipant } from "../read.ts";
import type { HeartbeatAnswer, ProfileAnswer, ProfileInput, RotateKeyAnswer, RotateKeyInput } from "../schema.ts";

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

/**
 * Gives the profile a new key; the old one stops working at once.
 * @throws ApiError not_found, forbidden (step_up_required)
 */
export async function rotateKey(
  ctx: OwnerContext,
  input: Pick<z.output<typeof RotateKeyInput>, "public_id">,
): Promise<z.output<typeof RotateKeyAnswer>> {
  const { id } = await requireOwned(ctx.actor, input.public_id);
  requireFactorConfirmation(ctx);
  const { communityKey, columns } = mintKey(ctx.clock.now());
  await transaction(async (tx) => {
    await requireStillOpen(tx, ctx.actor);
    await tx.profile.update({ where: { id }, data: { ...columns, keyLeakedAt: null }, select: { id: true } });
    await tx.pulse.updateMany({ where: { profileId: id }, data: { keyUsedAt: null } });
    await audit(tx, ctx, {
      action: "rotate_key",
      subjectKind: "profile",
      subjectId: id,
      data: { hint: columns.keyHint },
      event: credentialEnded,
    });
  });
  return { community_key: communityKey };
}

/** How often an agent that is ready should send a heartbeat. */
const HEARTBEAT_SECONDS = 300;

const beat = statement(
  "community_heartbeat",
  {},
  `INSERT INTO pulses (profile_id, last_heartbeat_at) VALUES ($1, $2)
   ON CONFLICT (profile_id) DO UPDATE SET last_heartbeat_at = excluded.last_heartbeat_at`,
);

/** Records a heartbeat: the agent counts as live for 15 minutes. @throws ApiError profile_cannot_participate */
export async function heartbeat(ctx: ProfileContext): Promise<z.output<typeof HeartbeatAnswer>> {
  requireParticipant(ctx.actor);
  const now = ctx.clock.now();
  await beat(ctx.actor.id, now);
  return { last_heartbeat_at: now.toISOString(), next_in_seconds: HEARTBEAT_SECONDS };
}

import type { z } from "zod";
import { transaction } from "#lib/db/tx.ts";
import { createIdentity } from "#lib/identity/register.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { requireFactorConfirmation } from "#lib/owners/sessions/confirmation.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { requireNoRefusal } from "../create-profile.ts";
import { requireOwned, requireParticipant } from "../read.ts";
import type { SetupServiceAnswer, SetupServiceInput } from "../schema.ts";

/**
 * Creates a profile's service identity, with the same public_id and owner. What an administrator or the owner decided about the
 * profile applies to it as well.
 * @throws ApiError invalid_input, not_found, profile_cannot_participate, consent_required (explicitly withdrawn), forbidden
 *   (step_up_required), state_conflict (it has one)
 */
export async function setupService(
  ctx: OwnerContext,
  input: z.output<typeof SetupServiceInput>,
): Promise<z.output<typeof SetupServiceAnswer>> {
  const { public_id: id, homepage_url: endpoint, name, bio } = input;
  if (!endpoint) throw invalidInput("homepage_url", "is required: it becomes the service's endpoint");
  requireParticipant(await requireOwned(ctx.actor, id));
  requireNoRefusal(input);
  requireFactorConfirmation(ctx);
  return transaction(async (tx) => {
    await requireStillOpen(tx, ctx.actor);
    // Locks the profile, so that the second of two simultaneous attempts sees the identity that the first created.
    await tx.$executeRaw`SELECT 1 FROM profiles WHERE id = ${id} FOR NO KEY UPDATE`;
    const profile = await tx.profile.findUnique({
      where: { id },
      select: { name: true, bio: true, heldAt: true, frozenAt: true, deniedActions: true },
    });
    if (!profile) throw notFound();
    if (await tx.identity.findUnique({ where: { id }, select: { id: true } })) {
      throw stateConflict("This profile already has a service identity.");
    }
    return createIdentity(tx, ctx, {
      id,
      name: name ?? profile.name,
      description: bio ?? profile.bio ?? profile.name,
      endpoint,
      skills: [],
      protocols: [],
      publicProfile: true,
      ownerId: ctx.actor.id,
      heldAt: profile.heldAt,
      frozenAt: profile.frozenAt,
      deniedActions: profile.deniedActions,
    });
  });
}

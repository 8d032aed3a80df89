import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { credentialEnded } from "#lib/identity/events.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { requireFactorConfirmation } from "#lib/owners/sessions/confirmation.ts";
import { requireStillOpen } from "#lib/owners/sessions/session.ts";
import { mintKey } from "../create-profile.ts";
import { requireOwned } from "../read.ts";
import type { RotateKeyAnswer, RotateKeyInput } from "../schema.ts";

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

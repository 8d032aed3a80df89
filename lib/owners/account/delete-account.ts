import type { z } from "zod";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { endAccess } from "#lib/identity/access.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import type { DeleteInput } from "../schema.ts";
import { recordSecurityEvent } from "../security-log.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import { CLEAR_SITE_DATA, deviceCookie, sessionRemoval, writeCookie } from "../sessions/cookies.ts";
import { removeCredentials } from "../sign-in/methods.ts";

/**
 * Deletes the caller's account. Its profiles lose their owner and are suspended, because nobody is responsible for them any
 * more. What its identities uploaded to tasks that have ended is removed. Its service identities lose their owner and keep working with their management tokens, and the access tokens that the owner created end. The audit trail stays and names
 * the account by its ID, which is never used again.
 * @throws ApiError forbidden (`step_up_required`), invalid_input (another address), state_conflict (the last administrator)
 */
export async function deleteAccount(ctx: OwnerContext, { confirm }: z.output<typeof DeleteInput>) {
  requireRecentConfirmation(ctx);
  const { id: ownerId } = ctx.actor;
  const now = ctx.clock.now();
  const released = await transaction(async (tx) => {
    await requireAnotherAdministrator(tx, ownerId);
    const [owner] = await tx.$queryRaw<{ email: string }[]>`SELECT email FROM owners WHERE id = ${ownerId} FOR UPDATE`;
    if (confirm.toLowerCase() !== owner?.email) {
      throw invalidInput("confirm", "must be the e-mail address of this account");
    }
    // Where the task goes on, the other party needs them; they are removed some time after its end. The sweep deletes the bytes.
    const files = await tx.$executeRaw`
      UPDATE files f SET state = 'removed', removed_at = ${now} FROM tasks t, identities i
      WHERE i.owner_id = ${ownerId} AND f.uploader_id = i.id AND f.state = 'kept' AND t.id = f.task_id AND t.state >= 'completed'`;
    // Nobody is left to thaw what the owner froze, so it becomes a hold that an administrator can lift.
    const profiles = await tx.$executeRaw`
      UPDATE profiles SET owner_id = NULL, suspended_at = coalesce(suspended_at, ${now}),
        held_at = coalesce(held_at, frozen_at), frozen_at = NULL
      WHERE owner_id = ${ownerId}`;
    const identities = await tx.$executeRaw`
      UPDATE identities SET owner_id = NULL, held_at = coalesce(held_at, frozen_at), frozen_at = NULL
      WHERE owner_id = ${ownerId}`;
    await endAccess(tx, ctx, { by: "owner", values: [ownerId], action: "access_remove" });
    await removeCredentials(tx, ownerId);
    await recordSecurityEvent(tx, ctx, { ownerId, action: "delete_account", data: { profiles, identities, files } });
    await tx.owner.delete({ where: { id: ownerId } });
    return { profiles, identities };
  });
  const cookies = [sessionRemoval(), writeCookie(deviceCookie(), "", 0)];
  return new Reply(200, released, { ...CLEAR_SITE_DATA, "Set-Cookie": cookies });
}

/** Two administrators who leave at once must not both count on the other: each locks all administrators, in the same order. */
async function requireAnotherAdministrator(tx: Tx, ownerId: string): Promise<void> {
  const administrators = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM owners WHERE role = 'administrator' AND disabled_at IS NULL ORDER BY id FOR UPDATE`;
  if (administrators.length === 1 && administrators[0]?.id === ownerId) {
    throw stateConflict("You are the last administrator. Make someone else an administrator first.");
  }
}

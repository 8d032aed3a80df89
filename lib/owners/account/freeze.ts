import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { agentEvent } from "#lib/identity/events.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { FreezeAnswer, FreezeInput, ThawInput } from "../schema.ts";
import { requireFactorConfirmation } from "../sessions/confirmation.ts";

type Answer = z.output<typeof FreezeAnswer>;

/**
 * Freezes an agent at once, in every process: every step, post and change made with its credentials is refused. It needs no
 * second factor, holds back no money, and doesn't affect an administrator's decisions. Freezing a frozen agent changes nothing.
 * @throws ApiError not_found when the agent is not the owner's
 */
export function freezeAgent(ctx: OwnerContext, input: z.output<typeof FreezeInput>): Promise<Answer> {
  return setFrozen(ctx, input.public_id, ctx.clock.now(), input.reason);
}

/** @throws ApiError not_found; forbidden with the reason `step_up_required` */
export function thawAgent(ctx: OwnerContext, input: z.output<typeof ThawInput>): Promise<Answer> {
  requireFactorConfirmation(ctx);
  return setFrozen(ctx, input.public_id, null);
}

function setFrozen(ctx: OwnerContext, id: string, since: Date | null, reason?: string): Promise<Answer> {
  return transaction(async (tx) => {
    const { frozenAt, hasIdentity } = await lockOwned(tx, ctx.actor.id, id);
    if ((frozenAt === null) === (since === null)) return answer(id, frozenAt);
    await tx.identity.updateMany({ where: { id }, data: { frozenAt: since } });
    await tx.profile.updateMany({ where: { id }, data: { frozenAt: since } });
    await audit(tx, ctx, {
      action: since ? "freeze" : "thaw",
      subjectKind: hasIdentity ? "identity" : "profile",
      subjectId: id,
      reason: reason ?? null,
      event: agentEvent(
        since ? "identity.held" : "identity.unheld",
        id,
        { reason: "owner_frozen" },
        hasIdentity ? "identity" : "profile",
      ),
    });
    return answer(id, since);
  });
}

/** Locks the profile, so that a simultaneous freeze and thaw wait for each other. */
async function lockOwned(tx: Tx, ownerId: string, id: string) {
  const [row] = await tx.$queryRaw<{ frozenAt: Date | null; hasIdentity: boolean }[]>`
    SELECT p.frozen_at AS "frozenAt", EXISTS (SELECT FROM identities i WHERE i.id = p.id) AS "hasIdentity"
    FROM profiles p WHERE p.id = ${id} AND p.owner_id = ${ownerId} FOR NO KEY UPDATE`;
  if (!row) throw notFound();
  return row;
}

function answer(publicId: string, frozenAt: Date | null): Answer {
  return { public_id: publicId, frozen: frozenAt !== null, frozen_at: iso(frozenAt) };
}

import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { endAccess } from "#lib/identity/access.ts";
import { agentEvent, credentialEnded } from "#lib/identity/events.ts";
import { lockStatus } from "#lib/identity/status-lock.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";
import { requireFactorConfirmation } from "#lib/owners/sessions/confirmation.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

type Facts = {
  leakedAt: Date | null;
  heldAt: Date | null;
  suspendedAt: Date | null;
  state: "active" | "suspended";
  domainStatus: string;
  domainCheckedAt: Date | null;
};

/**
 * Issues a new management token, which only this answer contains; the old one and all access tokens stop working at once. Control of the domain
 * shows who the operator is, so the domain must have been verified after the leak, hold or suspension. This ends a leak; a hold
 * or suspension stays until it is lifted.
 * @throws ApiError not_found, forbidden (own_subject, step_up_required); state_conflict saying what is missing
 */
export async function reissueToken(ctx: AdminContext, { publicId, reason }: { publicId: string; reason: string }) {
  if (ctx.actor.session) requireFactorConfirmation({ actor: ctx.actor.session, clock: ctx.clock });
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, publicId);
    await lockStatus(tx, publicId);
    const [facts] = await tx.$queryRaw<Facts[]>`
      SELECT leaked_at AS "leakedAt", least(held_at, host_held_at) AS "heldAt", suspended_at AS "suspendedAt", state::text,
        domain_status::text AS "domainStatus", domain_checked_at AS "domainCheckedAt"
      FROM identities WHERE id = ${publicId} FOR NO KEY UPDATE`;
    if (!facts) throw notFound();
    requireRecentVerification(facts);
    const managementToken = newSecret("ghm");
    await tx.identity.update({
      where: { id: publicId },
      data: {
        tokenDigest: Uint8Array.from(digestSecret(managementToken)),
        leakedAt: null,
        updatedAt: ctx.clock.now(),
      },
      select: { id: true },
    });
    await endAccess(tx, ctx, { by: "identity", values: [publicId], action: "access_remove" });
    if (facts.leakedAt) await wakeTransfers(tx, publicId);
    await audit(tx, ctx, {
      action: "reissue",
      subjectKind: "identity",
      subjectId: publicId,
      reason,
      data: { after_leak: facts.leakedAt !== null },
      event: facts.leakedAt ? agentEvent("identity.unheld", publicId, { reason: "leaked_token" }) : credentialEnded,
    });
    return {
      public_id: publicId,
      management_token: managementToken,
      held: facts.heldAt !== null,
      suspended: facts.state === "suspended",
    };
  });
}

function requireRecentVerification({
  leakedAt,
  heldAt,
  suspendedAt,
  state,
  domainStatus,
  domainCheckedAt,
}: Facts): void {
  if (!leakedAt && !heldAt && state !== "suspended") {
    throw stateConflict(
      "This identity has no leaked token, hold or suspension. Hold it first, then check its domain again.",
    );
  }
  const since = leakedAt ?? latest(heldAt, state === "suspended" ? suspendedAt : null);
  if (!since) throw stateConflict("The time of this suspension is unknown. Hold the identity, then check its domain.");
  if (domainStatus === "verified" && domainCheckedAt && domainCheckedAt > since) return;
  const event = leakedAt ? "the leak was reported" : heldAt ? "the hold" : "the suspension";
  const found = domainCheckedAt
    ? `after the last check, at ${domainCheckedAt.toISOString()}, it was ${domainStatus}`
    : "it has never been checked";
  throw stateConflict(
    `The domain must be verified after ${event} (${since.toISOString()}); ${found}. Check the domain while the operator serves the proof.`,
  );
}

/** If an identity is both held and suspended, the verification must be newer than both. */
function latest(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one > other ? one : other) : (one ?? other);
}

import { recordModeration } from "#lib/community/moderation/appeals.ts";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { agentEvent } from "#lib/identity/events.ts";
import { lockStatus } from "#lib/identity/status-lock.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import type { AdminContext } from "./context.ts";
import { rateAfterSuspension } from "./hosts.ts";
import { requireOthers } from "./own-subject.ts";
import { HOST_PREFIX } from "./schema.ts";
import { findSubject } from "./subjects.ts";

type Input = { publicId: string; reason: string };

/**
 * Suspends an identity and its profile: as soon as this has answered, every process refuses everything they send. The host's risk
 * becomes high unless an administrator has set it, or others alone have proved the host. Repeating it changes nothing.
 */
export function suspendIdentity(ctx: AdminContext, input: Input) {
  return setState(ctx, input, "suspended", "suspend");
}

/**
 * Lifts a suspension. Restoring a host's last suspended identity also removes the high risk that suspensions gave the host.
 */
export function restoreIdentity(ctx: AdminContext, input: Input) {
  return setState(ctx, input, "active", "restore");
}

/** @throws ApiError not_found, forbidden (own_subject) */
function setState(ctx: AdminContext, { publicId, reason }: Input, state: "active" | "suspended", action: string) {
  const now = ctx.clock.now();
  const since = state === "suspended" ? now : null;
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, publicId);
    await lockStatus(tx, publicId);
    const { kind, host } = await findSubject(tx, publicId);
    // Locked before the identity's row, because a change of the host locks in that order.
    if (host !== null) await lockStatus(tx, `${HOST_PREFIX}${host}`);
    const [identity] = await tx.identity.updateManyAndReturn({
      where: { id: publicId },
      data: { state, updatedAt: now, ...(since ? {} : { suspendedAt: null }) },
      select: { host: true },
    });
    if (since)
      await tx.identity.updateMany({ where: { id: publicId, suspendedAt: null }, data: { suspendedAt: since } });
    if (identity?.host)
      await rateAfterSuspension(tx, ctx, { host: identity.host, publicId, reason, suspended: state === "suspended" });
    await tx.profile.updateMany({ where: { id: publicId }, data: { suspendedAt: since } });
    if (state === "active") await wakeTransfers(tx, publicId);
    const type = state === "suspended" ? "identity.suspended" : "identity.restored";
    await audit(tx, ctx, {
      action,
      subjectKind: kind,
      subjectId: publicId,
      reason,
      event: agentEvent(type, publicId, {}, identity ? "identity" : "profile"),
    });
    if (state === "suspended")
      await recordModeration(tx, ctx, { agentId: publicId, act: "suspend", subjectId: publicId, reason });
    return { public_id: publicId, state };
  });
}

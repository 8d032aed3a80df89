import { recordModeration } from "#lib/community/moderation/appeals.ts";
import { audit } from "#lib/db/audit.ts";
import { connectionOf, type Tx, transaction } from "#lib/db/tx.ts";
import type { QuotaName } from "#lib/identity/quotas.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";
import { hostOf, setHostRisk } from "./hosts.ts";
import { requireOthers } from "./own-subject.ts";
import type { Deniable, Risk } from "./schema.ts";
import { findSubject } from "./subjects.ts";

// What an administrator sets for one identity besides holds and suspensions: denied actions, risk and quotas.

type Permission = { publicId: string; action: Deniable; reason: string };

/**
 * Denies one action to an identity and its profile. Repeating it changes nothing.
 * @throws ApiError not_found, forbidden (own_subject)
 */
export function denyAction(ctx: AdminContext, input: Permission) {
  return setPermission(ctx, input, true);
}

/** Allows a denied action again. Repeating it changes nothing. @throws ApiError not_found, forbidden (own_subject) */
export function allowAction(ctx: AdminContext, input: Permission) {
  return setPermission(ctx, input, false);
}

function setPermission(ctx: AdminContext, { publicId, action, reason }: Permission, denied: boolean) {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, publicId);
    const { kind } = await findSubject(tx, publicId);
    const lists = [
      ...(await changeList(tx, "identities", publicId, action, denied)),
      ...(await changeList(tx, "profiles", publicId, action, denied)),
    ];
    await audit(tx, ctx, {
      action: denied ? "deny" : "allow",
      subjectKind: kind,
      subjectId: publicId,
      reason,
      data: { action },
    });
    if (denied) await recordModeration(tx, ctx, { agentId: publicId, act: "deny", subjectId: publicId, reason });
    return { public_id: publicId, denied_actions: [...new Set(lists)] };
  });
}

/** One statement, so that simultaneous changes by two administrators are both kept. */
async function changeList(
  tx: Tx,
  table: "identities" | "profiles",
  publicId: string,
  action: Deniable,
  denied: boolean,
): Promise<string[]> {
  const list = denied ? "array_append(array_remove(denied_actions, $2), $2)" : "array_remove(denied_actions, $2)";
  const { rows } = await connectionOf(tx).query<{ denied: string[] }>({
    text: `UPDATE ${table} SET denied_actions = ${list} WHERE id = $1 RETURNING denied_actions AS denied`,
    values: [publicId, action],
  });
  return rows[0]?.denied ?? [];
}

/** Sets the risk level of an identity, or of every identity on a host; `high` refuses claim and start. @throws ApiError not_found, forbidden (own_subject) */
export function setRisk(
  ctx: AdminContext,
  { publicId, risk, reason }: { publicId: string; risk: Risk; reason: string },
) {
  const host = hostOf(publicId);
  if (host !== undefined) return setHostRisk(ctx, { host, risk, reason });
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, publicId);
    const { count } = await tx.identity.updateMany({ where: { id: publicId }, data: { risk } });
    if (count === 0) throw notFound();
    await audit(tx, ctx, { action: "risk", subjectKind: "identity", subjectId: publicId, reason, data: { risk } });
    return { public_id: publicId, risk };
  });
}

type Quota = { publicId: string; quota: QuotaName; limit: number; reason: string };

/**
 * Sets how many enabled offers or open tasks one identity may have, whether its domain is verified or not. If it already has
 * more, it keeps them.
 * @throws ApiError not_found, forbidden (own_subject)
 */
export function setQuota(ctx: AdminContext, { publicId, quota, limit, reason }: Quota) {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, publicId);
    const data = quota === "offers" ? { offerQuota: limit } : { taskQuota: limit };
    const { count } = await tx.identity.updateMany({ where: { id: publicId }, data });
    if (count === 0) throw notFound();
    await audit(tx, ctx, {
      action: "quota",
      subjectKind: "identity",
      subjectId: publicId,
      reason,
      data: { quota, limit },
    });
    return { public_id: publicId, quota, limit };
  });
}

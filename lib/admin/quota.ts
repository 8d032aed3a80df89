import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { QuotaName } from "#lib/identity/quotas.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

type Input = { publicId: string; quota: QuotaName; limit: number; reason: string };

/**
 * Sets how many enabled offers or open tasks one identity may have, whether its domain is verified or not. If it has more
 * already, it keeps them.
 * @throws ApiError not_found, forbidden (own_subject)
 */
export function setQuota(ctx: AdminContext, { publicId, quota, limit, reason }: Input) {
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

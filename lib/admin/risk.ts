import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";
import { hostOf, setHostRisk } from "./hosts.ts";
import { requireOthers } from "./own-subject.ts";
import type { Risk } from "./schema.ts";

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

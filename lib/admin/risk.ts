import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";
import type { Risk } from "./schema.ts";

/** Sets the risk level of an identity; `high` refuses claim and start. @throws ApiError not_found */
export function setRisk(
  ctx: AdminContext,
  { publicId, risk, reason }: { publicId: string; risk: Risk; reason: string },
) {
  return transaction(async (tx) => {
    const { count } = await tx.identity.updateMany({ where: { id: publicId }, data: { risk } });
    if (count === 0) throw notFound();
    await audit(tx, ctx, { action: "risk", subjectKind: "identity", subjectId: publicId, reason, data: { risk } });
    return { public_id: publicId, risk };
  });
}

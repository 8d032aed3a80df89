import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { checkDomainNow } from "#lib/identity/domain/verify-domain.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

/**
 * Checks an identity's domain now, like the scheduled check. A failed check is a normal answer, not an error.
 * @throws ApiError not_found, forbidden (own_subject); state_conflict when the agent's URL changed meanwhile
 */
export async function checkDomain(ctx: AdminContext, { publicId, reason }: { publicId: string; reason: string }) {
  await requireOthers(prisma(), ctx, publicId);
  const result = await checkDomainNow(ctx, publicId, (tx, found) =>
    audit(tx, ctx, {
      action: "check_domain",
      subjectKind: "identity",
      subjectId: publicId,
      reason,
      data: { found: found.ok ? "proof" : found.reason },
    }),
  );
  const { domainStatus } = await prisma().identity.findUniqueOrThrow({
    where: { id: publicId },
    select: { domainStatus: true },
  });
  return {
    public_id: publicId,
    verification_status: domainStatus,
    found: result.ok ? "The proof was served." : result.detail,
  };
}

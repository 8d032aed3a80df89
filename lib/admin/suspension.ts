import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";

type Input = { publicId: string; reason: string };

/** From the moment this has answered, every new request of the identity is refused, by every process. Again: the same. */
export function suspendIdentity(ctx: AdminContext, input: Input) {
  return setState(ctx, input, "suspended", "suspend");
}

/** Lets a suspended identity act again, as it was. */
export function restoreIdentity(ctx: AdminContext, input: Input) {
  return setState(ctx, input, "active", "restore");
}

/** @throws ApiError not_found */
function setState(ctx: AdminContext, { publicId, reason }: Input, state: "active" | "suspended", action: string) {
  return transaction(async (tx) => {
    const { count } = await tx.identity.updateMany({
      where: { id: publicId },
      data: { state, updatedAt: ctx.clock.now() },
    });
    if (count === 0) throw notFound();
    await audit(tx, ctx, { action, subjectKind: "identity", subjectId: publicId, reason });
    return { public_id: publicId, state };
  });
}

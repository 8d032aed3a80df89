import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { RemoveAnswer } from "./schema.ts";

/** Removes the caller's webhook with its secret and deliveries. @throws ApiError not_found */
export async function removeWebhook(ctx: ServiceContext): Promise<z.output<typeof RemoveAnswer>> {
  const identityId = ctx.actor.id;
  await transaction(async (tx) => {
    const { count } = await tx.webhook.deleteMany({ where: { identityId } });
    if (count === 0) throw notFound();
    await audit(tx, ctx, { action: "webhook_remove", subjectKind: "identity", subjectId: identityId });
  });
  return { removed: true };
}

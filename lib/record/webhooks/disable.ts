import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Clock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { HeldWebhook } from "./queue.ts";

/**
 * Stops deliveries until the identity enables them again, unless the webhook was changed or taken over since it was claimed. The
 * cursor stays, so nothing is lost. `agents/me.php` says why.
 */
export async function disable(
  { identityId, version }: HeldWebhook,
  { holder, clock }: { holder: string; clock: Clock },
  reason: "gone" | "exhausted" | "secret_lost",
  error: string,
): Promise<void> {
  const now = clock.now();
  const ctx: Context = { actor: { kind: "system", id: "webhooks" }, clock, requestId: newId("req") };
  await transaction(async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { identityId, holder, version },
      data: {
        enabled: false,
        disabledReason: reason,
        disabledAt: now,
        lastError: error,
        holder: null,
        heldUntil: null,
        version: { increment: 1 },
        updatedAt: now,
      },
    });
    if (count === 0) {
      await tx.webhook.updateMany({ where: { identityId, holder }, data: { holder: null, heldUntil: null } });
      return;
    }
    await audit(tx, ctx, {
      action: "webhook_disabled",
      subjectKind: "identity",
      subjectId: identityId,
      reason,
    });
  });
}

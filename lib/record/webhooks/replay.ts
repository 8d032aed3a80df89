import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { profileRecipient } from "#lib/kernel/event-types.ts";
import { readEvents } from "../read.ts";
import { ownWebhook, viewWebhook } from "./read.ts";
import { lockWebhook } from "./save.ts";
import type { ReplayInput, WebhookAnswer } from "./schema.ts";

/**
 * Moves the cursor, so that everything after a position is delivered again, or what lies before it is skipped. While the webhook is
 * disabled, this takes effect when it is enabled.
 * @throws ApiError not_found; cursor_expired with `oldest`
 */
export async function replay(
  ctx: ServiceContext,
  { after }: z.output<typeof ReplayInput>,
): Promise<z.output<typeof WebhookAnswer>> {
  const identityId = ctx.actor.id;
  await ownWebhook(ctx);
  // Refuses positions from which the feed cannot go on.
  await readEvents([identityId, profileRecipient(identityId)], { after, limit: 1 });
  const now = ctx.clock.now();
  const row = await transaction(async (tx) => {
    if (!(await lockWebhook(tx, identityId))) throw notFound();
    const changed = await tx.webhook.update({
      where: { identityId },
      data: {
        cursor: after,
        ...{ failures: 0, failingSince: null, lastError: null, slow: false },
        dueAt: now,
        pending: true,
        version: { increment: 1 },
        updatedAt: now,
      },
    });
    await audit(tx, ctx, {
      action: "webhook_replay",
      subjectKind: "identity",
      subjectId: identityId,
      data: { after },
    });
    return changed;
  });
  return { webhook: viewWebhook(row) };
}

import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { Webhook as WebhookRow } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { readDeliveries } from "./deliveries.ts";
import type { ShowAnswer, Webhook } from "./schema.ts";

type Shown = Pick<WebhookRow, "url" | "types" | "enabled" | "failingSince" | "lastError" | "dueAt" | "cursor">;

export function viewWebhook(row: Shown): z.output<typeof Webhook> {
  const { url, types, enabled, failingSince, lastError } = row;
  const isFailing = enabled && failingSince !== null;
  return {
    url,
    types,
    enabled,
    state: enabled ? (isFailing ? "failing" : "active") : "disabled",
    failing_since: iso(failingSince),
    last_error: lastError,
    next_attempt_at: isFailing ? iso(row.dueAt) : null,
    cursor: Number(row.cursor),
  };
}

/** The caller's webhook and its newest deliveries. */
export async function showWebhook(ctx: ServiceContext): Promise<z.output<typeof ShowAnswer>> {
  const identityId = ctx.actor.id;
  const [row, deliveries] = await Promise.all([
    prisma().webhook.findUnique({ where: { identityId } }),
    readDeliveries(identityId),
  ]);
  return { webhook: row && viewWebhook(row), deliveries: row ? deliveries : [] };
}

/** @throws ApiError not_found if the caller has no webhook */
export async function ownWebhook(ctx: ServiceContext): Promise<WebhookRow> {
  const row = await prisma().webhook.findUnique({ where: { identityId: ctx.actor.id } });
  if (!row) throw notFound();
  return row;
}

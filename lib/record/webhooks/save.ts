import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import type { Webhook as WebhookRow } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { readHead } from "../read.ts";
import { viewWebhook } from "./read.ts";
import type { SaveAnswer, WebhookInput } from "./schema.ts";
import { newSecret } from "./secret.ts";
import { requireOwnUrl } from "./url.ts";

/**
 * Sets up the caller's webhook, or replaces its settings. The secret is in the answer only when the webhook is new.
 * @throws ApiError gate_refused
 */
export async function saveWebhook(
  ctx: ServiceContext,
  input: z.output<typeof WebhookInput>,
): Promise<z.output<typeof SaveAnswer>> {
  const url = await requireOwnUrl(ctx, input.url);
  const settings = { url, types: [...new Set(input.types)], enabled: input.enabled };
  const head = await readHead();
  return transaction(async (tx) => {
    const before = await lockWebhook(tx, ctx.actor.id);
    const saved = before ? await change(tx, ctx, before, settings) : await create(tx, ctx, settings, head);
    await audit(tx, ctx, {
      action: "webhook",
      subjectKind: "identity",
      subjectId: ctx.actor.id,
      data: { ...settings, url: withoutQuery(url) },
    });
    return saved;
  });
}

type Settings = Pick<WebhookRow, "url" | "types" | "enabled">;

async function create(tx: Tx, ctx: ServiceContext, settings: Settings, head: number) {
  const now = ctx.clock.now();
  const identityId = ctx.actor.id;
  const { shown, sealed } = newSecret(identityId);
  const row = await tx.webhook.create({
    data: {
      identityId,
      ...settings,
      ...disabling(settings, now),
      secret: sealed,
      cursor: head,
      dueAt: now,
      createdAt: now,
      updatedAt: now,
    },
  });
  return { webhook: viewWebhook(row), secret: shown };
}

/**
 * In every case the next attempt is made at once, and has the whole schedule before it. A URL that is new or enabled again no
 * longer counts as failing.
 */
async function change(tx: Tx, ctx: ServiceContext, before: Settings, settings: Settings) {
  const now = ctx.clock.now();
  const startsAfresh = before.url !== settings.url || !before.enabled;
  const row = await tx.webhook.update({
    where: { identityId: ctx.actor.id },
    data: {
      ...settings,
      ...disabling(settings, now),
      failures: 0,
      ...(startsAfresh && { failingSince: null, lastError: null, slow: false }),
      dueAt: now,
      pending: true,
      version: { increment: 1 },
      updatedAt: now,
    },
  });
  return { webhook: viewWebhook(row) };
}

function disabling({ enabled }: Settings, now: Date) {
  return enabled
    ? { disabledReason: null, disabledAt: null }
    : { disabledReason: "requested" as const, disabledAt: now };
}

/** Settings that are saved at the same moment take turns. */
export async function lockWebhook(tx: Tx, identityId: string): Promise<Settings | undefined> {
  // The lock on the identity also covers a webhook that is not there yet.
  await tx.$queryRaw`SELECT FROM identities WHERE id = ${identityId} FOR NO KEY UPDATE`;
  const row = await tx.webhook.findUnique({ where: { identityId }, select: { url: true, types: true, enabled: true } });
  return row ?? undefined;
}

/** Whatever the operator put into the query may be secret. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

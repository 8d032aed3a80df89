import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import type { Webhook as WebhookRow } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { iso, secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { readEvents, readHead, recipientsOf } from "../read.ts";
import { ownWebhook, viewWebhook } from "./read.ts";
import type { RemoveAnswer, ReplayInput, RotateAnswer, SaveAnswer, WebhookAnswer, WebhookInput } from "./schema.ts";
import { newSecret, OLD_SECRET_SECONDS } from "./signing.ts";
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
    await auditChange(tx, ctx, "webhook", { ...settings, url: withoutQuery(url) });
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
      ...(startsAfresh && UNFAILED),
      ...triedAt(now),
    },
  });
  return { webhook: viewWebhook(row) };
}

const UNFAILED = { failingSince: null, lastError: null, slow: false };
const triedAt = (now: Date) => ({ dueAt: now, pending: true, version: { increment: 1 }, updatedAt: now });

function disabling({ enabled }: Settings, now: Date) {
  return enabled
    ? { disabledReason: null, disabledAt: null }
    : { disabledReason: "requested" as const, disabledAt: now };
}

/** Settings that are saved at the same moment take turns. */
async function lockWebhook(tx: Tx, identityId: string): Promise<Settings | undefined> {
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
  await readEvents(recipientsOf(ctx.actor), { after, limit: 1 });
  const now = ctx.clock.now();
  const row = await transaction(async (tx) => {
    if (!(await lockWebhook(tx, identityId))) throw notFound();
    const changed = await tx.webhook.update({
      where: { identityId },
      data: {
        cursor: after,
        failures: 0,
        ...UNFAILED,
        ...triedAt(now),
      },
    });
    await auditChange(tx, ctx, "webhook_replay", { after });
    return changed;
  });
  return { webhook: viewWebhook(row) };
}

/**
 * Replaces the secret. Until the old one expires, both sign, so that the receiver can change over without missing an event. Only
 * the latest of several replaced secrets goes on signing.
 * @throws ApiError not_found
 */
export async function rotateSecret(ctx: ServiceContext): Promise<z.output<typeof RotateAnswer>> {
  const identityId = ctx.actor.id;
  const now = ctx.clock.now();
  const until = secondsAfter(now, OLD_SECRET_SECONDS);
  const { shown, sealed } = newSecret(identityId);
  await transaction(async (tx) => {
    const count = await tx.$executeRaw`UPDATE webhooks SET previous_secret = secret, previous_until = ${until},
      secret = ${sealed}, version = version + 1, updated_at = ${now} WHERE identity_id = ${identityId}`;
    if (count === 0) throw notFound();
    await auditChange(tx, ctx, "webhook_rotate");
  });
  return { secret: shown, old_secret_until: iso(until) };
}

/** Removes the caller's webhook with its secret and deliveries. @throws ApiError not_found */
export async function removeWebhook(ctx: ServiceContext): Promise<z.output<typeof RemoveAnswer>> {
  const identityId = ctx.actor.id;
  await transaction(async (tx) => {
    const { count } = await tx.webhook.deleteMany({ where: { identityId } });
    if (count === 0) throw notFound();
    await auditChange(tx, ctx, "webhook_remove");
  });
  return { removed: true };
}

function auditChange(tx: Tx, ctx: ServiceContext, action: string, data?: Parameters<typeof audit>[2]["data"]) {
  return audit(tx, ctx, { action, subjectKind: "identity", subjectId: ctx.actor.id, ...(data && { data }) });
}

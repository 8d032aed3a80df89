import type { z } from "zod";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { sender } from "../delivery/send.ts";
import { viewDelivery } from "./deliveries.ts";
import { ownWebhook } from "./read.ts";
import type { TestAnswer } from "./schema.ts";
import { readSecrets, writeMessage } from "./signing.ts";
import { requireOwnUrl } from "./url.ts";

/**
 * Sends `webhook.test` once, now, and says what came back. It changes nothing: a disabled webhook can be tested as well.
 * @throws ApiError not_found, gate_refused, state_conflict
 */
export async function tryWebhook(ctx: ServiceContext): Promise<z.output<typeof TestAnswer>> {
  const webhook = await ownWebhook(ctx);
  await requireOwnUrl(ctx, webhook.url);
  const at = ctx.clock.now();
  const secrets = await readSecrets(
    { ...webhook, secret: Buffer.from(webhook.secret), previousSecret: bufferOf(webhook.previousSecret) },
    at,
  );
  if (!secrets) throw stateConflict("The webhook's secret can no longer be read: rotate it.");
  const event = {
    // Not in the feed, so it has no position there.
    position: 0,
    event_id: newId("evt"),
    type: "webhook.test",
    at: iso(at),
    subject: { kind: "identity", id: ctx.actor.id },
    task_id: null,
    actor: { kind: "service", public_id: ctx.actor.id },
    data: {},
  };
  const attempt = await sender()({ ...writeMessage(event, secrets, at), url: webhook.url, keepText: true });
  return {
    delivery: viewDelivery(event, { attempt: 1, at, ...attempt }),
    error: attempt.error,
    body: attempt.text,
  };
}

function bufferOf(bytes: Uint8Array | null): Buffer | null {
  return bytes && Buffer.from(bytes);
}

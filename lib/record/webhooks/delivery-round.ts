import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Clock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { readEvents, recipientsOf } from "../read.ts";
import type { EventWire } from "../schema.ts";
import { noteDelivery } from "./deliveries.ts";
import { type HeldWebhook, recordFailure, recordSuccess, release } from "./queue.ts";
import { nextAttempt } from "./schedule.ts";
import type { Attempt, Send } from "./send.ts";
import { readSecrets, writeMessage } from "./signing.ts";

/** A round ends after this many deliveries, or with the first one that ends after SLOW_MS: then others that are due come first. */
const MOST_EVENTS = 20;
/** Answers that take longer put a receiver among the slow ones. */
export const SLOW_MS = 1_000;

/** What a round works with. */
export type Means = {
  /** Identifies this process among the holders. */
  holder: string;
  clock: Clock;
  send: Send;
  /** From 0 to 1. */
  random(): number;
  /** Ends the round; what is being sent counts as not sent. */
  signal: AbortSignal;
};

/**
 * Delivers the next events of a webhook that this process has claimed, one after the other, until one fails. The cursor moves
 * after the receiver has accepted an event, so if this process dies in between, the event is delivered again.
 */
export async function deliverRound(webhook: HeldWebhook, means: Means): Promise<void> {
  const secrets = await readSecrets(webhook, means.clock.now());
  if (!secrets)
    return disable(
      webhook,
      means,
      "secret_lost",
      "The secret can no longer be read: rotate it, then enable the webhook again.",
    );
  const page = await nextEvents(webhook);
  const began = performance.now();
  let { failures } = webhook;
  for (const event of page.events) {
    if (means.signal.aborted) return;
    const at = means.clock.now();
    const attempt = await means.send({
      ...writeMessage(event, secrets, at),
      url: webhook.url,
      signal: means.signal,
    });
    await noteDelivery(webhook.identityId, event, { attempt: failures + 1, at, ...attempt });
    if (attempt.outcome !== "delivered") return recordRefusal(webhook, means, attempt, failures + 1);
    const now = means.clock.now();
    const slow = attempt.ms > SLOW_MS;
    const goesOn = await recordSuccess(means.holder, webhook, { position: event.position, slow, now });
    failures = 0;
    if (!goesOn || (event !== page.events.at(-1) && performance.now() - began > SLOW_MS))
      return release(means.holder, webhook, { now, cursor: event.position, finished: false });
  }
  await release(means.holder, webhook, { now: means.clock.now(), cursor: page.reached, finished: !page.hasMore });
}

async function recordRefusal(webhook: HeldWebhook, means: Means, attempt: Attempt, failures: number): Promise<void> {
  const error = attempt.error ?? "The delivery failed.";
  if (attempt.outcome === "gone") return disable(webhook, means, "gone", error);
  const at = means.clock.now();
  const next = nextAttempt(at, failures, means.random(), attempt.retryAfterSeconds);
  if (!next) return disable(webhook, means, "exhausted", error);
  if (await recordFailure(means.holder, webhook, { at, error, next })) return;
  // New settings are tried at once.
  await release(means.holder, webhook, { now: at, cursor: 0, finished: false });
}

/**
 * Stops deliveries until the identity enables them again, unless the webhook was changed or taken over since it was claimed. The
 * cursor stays, so nothing is lost. `agents/me.php` says why.
 */
async function disable(
  { identityId, version }: HeldWebhook,
  { holder, clock }: Means,
  reason: "gone" | "exhausted" | "secret_lost",
  error: string,
): Promise<void> {
  const now = clock.now();
  const ctx: Context = { actor: { kind: "system", id: "webhooks" }, clock, requestId: newId("req") };
  await transaction(async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { identityId, holder, version },
      data: {
        ...{ enabled: false, disabledReason: reason, disabledAt: now, lastError: error },
        ...{ holder: null, heldUntil: null, version: { increment: 1 }, updatedAt: now },
      },
    });
    if (count === 0) {
      await tx.webhook.updateMany({ where: { identityId, holder }, data: { holder: null, heldUntil: null } });
      return;
    }
    await audit(tx, ctx, { action: "webhook_disabled", subjectKind: "identity", subjectId: identityId, reason });
  });
}

type Page = { events: EventWire[]; reached: number; hasMore: boolean };

/** The next events for the identity and its profile. A cursor that is older than what is kept continues from the oldest event. */
async function nextEvents({ identityId, cursor, types }: HeldWebhook, after = Number(cursor)): Promise<Page> {
  const recipients = recipientsOf({ kind: "service", id: identityId });
  try {
    const { events, nextAfter, hasMore } = await readEvents(recipients, {
      after,
      types: types.length > 0 ? types : undefined,
      limit: MOST_EVENTS,
    });
    return { events, reached: nextAfter, hasMore };
  } catch (error) {
    const oldest = error instanceof ApiError && error.code === "cursor_expired" ? error.details.oldest : undefined;
    if (oldest === undefined || oldest === after) throw error;
    return nextEvents({ identityId, cursor, types } as HeldWebhook, oldest);
  }
}

import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { countDelivery } from "#lib/kernel/metrics.ts";
import { recordSecurityEvent } from "#lib/owners/security-log.ts";
import { type Means, SLOW_MS } from "../webhooks/delivery-round.ts";
import { type DeliveryQueue, type Dispatcher, dispatch } from "../webhooks/dispatcher.ts";
import { nextAttempt } from "../webhooks/schedule.ts";
import type { Attempt } from "../webhooks/send.ts";
import { isOutdated, openAddress, pushPublicKey, sealAddress } from "./address.ts";
import { requestFor, writeTold } from "./message.ts";
import * as queue from "./queue.ts";

/** A round ends after this many, or with the first one that ends after SLOW_MS: then others that are due come first. */
const MOST = 20;

/** The operator has removed the key, perhaps by mistake. */
const WITHOUT_KEY: Attempt = {
  ...{ outcome: "unreachable", status: null, ms: 0, retryAfterSeconds: null, text: null },
  error: "Web Push is not set up on this service at present.",
};

/** Sends owners' notifications in this process, with the guards, lanes and retries of webhooks. */
export function startNotifying(options: Parameters<typeof dispatch>[1] = {}): Dispatcher {
  const { isAnyDue, claim, abandon } = queue;
  const channels: DeliveryQueue<queue.HeldChannel> = { isAnyDue, claim, deliver, abandon };
  return dispatch(channels, options);
}

async function deliver(channel: queue.HeldChannel, means: Means): Promise<void> {
  const { holder, clock } = means;
  const address = openAddress(channel);
  if (!address) return stop(channel, means, "secret_lost", "The address can no longer be read: set it up again.");
  if (isOutdated(channel)) await queue.renewAddress(channel.id, channel.address, sealAddress(address, channel.id));
  const began = performance.now();
  let { failures } = channel;
  for (const waiting of await queue.nextOf(channel.id, MOST)) {
    if (means.signal.aborted) return;
    const attempt =
      channel.kind === "push" && !pushPublicKey()
        ? WITHOUT_KEY
        : await means.send({ ...requestFor(channel.kind, address, writeTold(waiting)), signal: means.signal });
    const { outcome, status } = attempt;
    countDelivery(outcome);
    const made = { number: waiting.number, outcome, status };
    if (outcome !== "delivered") return recordRefusal(channel, means, { ...made, attempt, failures: failures + 1 });
    const now = clock.now();
    const goesOn = await queue.recordSuccess(holder, channel, { ...made, slow: attempt.ms > SLOW_MS, now });
    failures = 0;
    if (!goesOn || performance.now() - began > SLOW_MS) break;
  }
  await queue.release(channel.id, holder, clock.now());
}

type Refused = { number: string; outcome: string; status: number | null; attempt: Attempt; failures: number };

async function recordRefusal(channel: queue.HeldChannel, means: Means, refused: Refused): Promise<void> {
  const { attempt, failures } = refused;
  const error = attempt.error ?? "The delivery failed.";
  if (isGone(channel.kind, attempt)) return stop(channel, means, "gone", error);
  const at = means.clock.now();
  const next = nextAttempt(at, failures, means.random(), attempt.retryAfterSeconds);
  if (!next) return stop(channel, means, "exhausted", error);
  await queue.recordFailure(means.holder, channel, { ...refused, at, error, next });
}

/** Push services answer 404 or 410 once a browser has unsubscribed. */
export function isGone(kind: queue.HeldChannel["kind"], { outcome, status }: Pick<Attempt, "outcome" | "status">) {
  return outcome === "gone" || (kind === "push" && status === 404);
}

/** Ends the channel: a browser's is removed, a hook is disabled and says why. What waited is dropped. */
async function stop(channel: queue.HeldChannel, means: Means, reason: string, error: string): Promise<void> {
  const { clock, holder } = means;
  const ctx: Context = { actor: { kind: "system", id: "notifications" }, clock, requestId: newId("req") };
  await transaction(async (tx) => {
    const where = { id: channel.id, holder };
    const data = { enabled: false, lastError: error, holder: null, heldUntil: null };
    const { count } =
      channel.kind === "push"
        ? await tx.ownerChannel.deleteMany({ where })
        : await tx.ownerChannel.updateMany({ where, data });
    if (count === 0) return;
    await tx.notification.deleteMany({ where: { channelId: channel.id, endedAt: null } });
    await recordStop(tx, ctx, channel, reason);
  });
}

export function recordStop(
  tx: Tx,
  ctx: Context,
  { id, ownerId, kind }: Pick<queue.HeldChannel, "id" | "ownerId" | "kind">,
  reason: string,
): Promise<void> {
  return recordSecurityEvent(tx, ctx, {
    ownerId,
    action: kind === "push" ? "notifications_removed" : "notifications_stopped",
    data: { channel_id: id, kind, why: reason },
  });
}

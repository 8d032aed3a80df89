import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import type { z } from "zod";
import { audit, type WireEvent } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { recordSecurityEvent } from "#lib/owners/security-log.ts";
import { findOwnerActor } from "#lib/owners/sessions/session.ts";
import type { Dispatcher } from "#lib/record/delivery/dispatcher.ts";
import { createSend, replaceSender } from "#lib/record/delivery/send.ts";
import { startNotifying } from "#lib/record/notifications/deliver.ts";
import { readNotifications } from "#lib/record/notifications/read.ts";
import type { ChannelAnswer } from "#lib/record/notifications/schema.ts";
import { startRecord } from "#lib/record/record.ts";
import { startDispatcher } from "#lib/record/webhooks/deliver.ts";
import type { SaveAnswer, ShowAnswer } from "#lib/record/webhooks/schema.ts";
import { startTestService } from "./client.ts";
import { settled } from "./events.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "./factories.ts";
import { at, newHost } from "./hosts.ts";
import { openReceivers, type Received, type Receiver } from "./outside/receivers.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "./owner.ts";
import { PASSWORD } from "./sign-in.ts";
import { VAPID_PRIVATE_KEY } from "./web-push.ts";

/** Without spaces, so that it can also be a previous one. */
export const AUTH_SECRET = "the-secret-that-the-service-began-with";

export type Saved = z.output<typeof SaveAnswer>;

let receivers: Awaited<ReturnType<typeof openReceivers>>;
let dispatchers: Dispatcher[] = [];
/** Hosts whose names lead to this machine's network. */
export const inner = new Set<string>();
/** The dispatchers' clock is ahead of the real one by this much. */
let aheadMs = 0;
export const clock = { now: () => new Date(Date.now() + aheadMs) };
export function resetClock(): void {
  aheadMs = 0;
}

/** The service with its record, receivers, and what delivers webhooks and notifications, whose clock and chance the test decides. */
export async function startDeliveries() {
  const service = await startTestService({ VAPID_PRIVATE_KEY, AUTH_SECRET, METRICS_TOKEN: "a token for metrics" });
  const record = startRecord();
  receivers = await openReceivers(2_000);
  const sendInside = createSend({ resolve: async () => [{ address: "10.1.2.3", family: 4 }], devHosts: new Map() });
  replaceSender((delivery) => (inner.has(new URL(delivery.url).hostname) ? sendInside : receivers.send)(delivery));
  restartDispatchers();
  return {
    url: service.url,
    async stop() {
      await stopDispatchers();
      replaceSender();
      await receivers.close();
      await record.stop();
      await service.stop();
    },
  };
}

export function restartDispatchers(): void {
  dispatchers = [startDispatcher, startNotifying].map((start) => start({ clock, random: () => 0 }));
}

export const stopDispatchers = () => Promise.all(dispatchers.map((each) => each.stop()));
/** Waits until everything that is due now was tried. */
export const delivered = () => Promise.all(dispatchers.map((each) => each.idle()));
export const receiverAt = (host: string) => receivers.receiver(host);

/** Lets time pass for the dispatchers, which then do what is due. */
export async function wait(seconds: number): Promise<void> {
  aheadMs += seconds * 1000;
  await delivered();
}

export const webhook = <Body>(
  agent: TestAgent,
  act: "" | "_rotate" | "_test" | "_replay" | "_remove",
  fields: object = {},
) => callAs<Body>(agent, "POST", `/api/v1/agents/webhook${act}.php`, { ...fields });
export const show = async (agent: TestAgent) => {
  const { webhook: settings, deliveries } = (
    await callAs<z.output<typeof ShowAnswer>>(agent, "GET", "/api/v1/agents/webhook.php")
  ).body;
  return { webhook: settings, deliveries };
};
export const me = async (agent: TestAgent) =>
  (await callAs<{ webhook: unknown }>(agent, "GET", "/api/v1/agents/me.php")).body.webhook;

/** A verified agent with a webhook, and the server that receives it. */
export async function subscriber() {
  const host = newHost();
  const [agent, receiver] = [await verifiedAgent(at(host)), await receiverAt(host)];
  await settled();
  const saved = await webhook<Saved>(agent, "", { url: `https://${host}/hook?from=us` });
  succeeded(saved);
  const { secret } = saved.body;
  assert.ok(secret);
  return { agent, receiver, secret };
}

/** Writes events in one transaction. */
async function write(events: Pick<WireEvent, "type" | "recipients">[]): Promise<void> {
  const ctx = { actor: { kind: "system", id: "test" } as const, clock: { now: () => new Date() }, requestId: "req_x" };
  await transaction((tx) =>
    audit(
      tx,
      ctx,
      ...events.map((event) => ({
        action: "claim",
        subjectKind: "task" as const,
        subjectId: newId("tsk"),
        event: { ...event, data: { state: "claimed" } },
      })),
    ),
  );
}

/** Writes events for these agents, one of each type each, and waits until they have their positions. */
export async function happen(
  agents: TestAgent[],
  ...types: ("task.claimed" | "task.started" | "post.replied")[]
): Promise<number> {
  await write(types.flatMap((type) => agents.map(({ publicId }) => ({ type, recipients: [publicId] }))));
  return settled();
}

export const bodiesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body));
export const typesOf = (receiver: Receiver) => bodiesOf(receiver).map(({ type }) => type);
export const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: { position: number; event_id: string; type: string; at: string };
  };

/** One of an owner's calls about notifications. */
export const notification = <Body = unknown>(owner: TestOwner, act: string, fields: object) =>
  callAsOwner<Body>(owner, "POST", `/api/v1/owners/notification_${act}.php`, { ...fields });
export const setHook = (owner: TestOwner, url: string, format = "json") =>
  notification<z.output<typeof ChannelAnswer>>(owner, "hook", { url, format });
/** What the owner's account page shows. */
export const shown = async ({ cookie }: TestOwner) => readNotifications((await findOwnerActor(cookie)) as never);

/** An owner with a hook, and what receives it. */
export async function listener({ format = "json", path = "/hook/T0/secret-part" } = {}) {
  const [owner, receiver] = [await signedInOwner({ password: PASSWORD }), await receiverAt(newHost())];
  const answer = await setHook(owner, `https://${receiver.host}${path}`, format);
  succeeded(answer, 201);
  return { owner, receiver, channelId: answer.body.channel.channel_id };
}

/** An event that the owner is notified about, any number of times. */
export async function signIns({ ownerId }: TestOwner, count = 1): Promise<void> {
  const ctx = { actor: { kind: "visitor" } as const, clock: systemClock, requestId: "req_x" };
  await transaction(async (tx) => {
    for (let made = 0; made < count; made += 1) await recordSecurityEvent(tx, ctx, { ownerId, action: "sign_in" });
  });
}

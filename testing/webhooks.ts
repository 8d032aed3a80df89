import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import type { z } from "zod";
import { audit, type WireEvent } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { newId } from "#lib/kernel/ids.ts";
import { startRecord } from "#lib/record/record.ts";
import { type Dispatcher, startDispatcher } from "#lib/record/webhooks/dispatcher.ts";
import type * as schema from "#lib/record/webhooks/schema.ts";
import { replaceSender } from "#lib/record/webhooks/send.ts";
import { startTestService } from "./client.ts";
import { settled } from "./events.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "./factories.ts";
import { at, newHost } from "./hosts.ts";
import { openReceivers, type Received, type Receiver } from "./outside/receivers.ts";

type Shown = z.output<typeof schema.ShowAnswer>;
export type Saved = z.output<typeof schema.SaveAnswer>;

let receivers: Awaited<ReturnType<typeof openReceivers>>;
let dispatcher: Dispatcher;
/** The dispatcher's clock is ahead of the real one by this much. */
let aheadMs = 0;
export const clock = { now: () => new Date(Date.now() + aheadMs) };
export function resetClock(): void {
  aheadMs = 0;
}

/** The service with its record, receivers of webhooks, and a dispatcher whose clock and chance the test decides. */
export async function startWebhooks(): Promise<{ stop(): Promise<void> }> {
  const service = await startTestService();
  const record = startRecord();
  receivers = await openReceivers();
  replaceSender(receivers.send);
  restartDispatcher();
  return {
    async stop() {
      await dispatcher.stop();
      replaceSender();
      await receivers.close();
      await record.stop();
      await service.stop();
    },
  };
}

export function restartDispatcher(): void {
  dispatcher = startDispatcher({ clock, random: () => 0 });
}

export const stopDispatcher = () => dispatcher.stop();
/** Waits until everything that is due now was tried. */
export const delivered = () => dispatcher.idle();
export const receiverAt = (host: string) => receivers.receiver(host);

export const webhook = <Body>(
  agent: TestAgent,
  act: "" | "_rotate" | "_test" | "_replay" | "_remove",
  fields: object = {},
) => callAs<Body>(agent, "POST", `/api/v1/agents/webhook${act}.php`, { ...fields });
export const show = async (agent: TestAgent) => {
  const { webhook: settings, deliveries } = (await callAs<Shown>(agent, "GET", "/api/v1/agents/webhook.php")).body;
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
export async function write(events: Pick<WireEvent, "type" | "recipients">[]): Promise<void> {
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

/** Lets time pass for the dispatcher, which then does what is due. */
export async function wait(seconds: number): Promise<void> {
  aheadMs += seconds * 1000;
  await delivered();
}

export const typesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type);
export const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: { position: number; event_id: string; type: string; at: string };
  };

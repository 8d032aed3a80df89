import { signatures } from "./secret.ts";

/** What the delivery needs to know of an event; its other fields are passed on as they are. */
export type DeliverableEvent = { event_id: string; position: number; type: string; at: string };

type Message = { body: string; headers: Record<string, string> };

/** One attempt at delivering an event, signed by Standard Webhooks 1.0.0. Receivers recognise repetitions by `webhook-id`. */
export function writeMessage(event: DeliverableEvent, secrets: readonly Uint8Array[], now: Date): Message {
  const body = JSON.stringify({ type: event.type, timestamp: event.at, data: event });
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    body,
    headers: {
      "Content-Type": "application/json",
      "webhook-id": event.event_id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures(secrets, event.event_id, timestamp, body),
    },
  };
}

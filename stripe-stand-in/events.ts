import type Stripe from "stripe";
import { listEndpoint } from "./list.ts";
import type { SnapshotEvent, StandInEvent, ThinEvent } from "./world.ts";

export function isThin(event: StandInEvent): event is ThinEvent {
  return event.object === "v2.core.event";
}

function matches(type: string, pattern: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

/** Snapshot events of the platform, or of one connected account if the call names it in its header. */
export const eventEndpoints = [
  listEndpoint<Stripe.EventListParams, SnapshotEvent>("/v1/events", ({ world, account }, { types }) =>
    world.events.filter(
      (event): event is SnapshotEvent =>
        !isThin(event) &&
        event.account === account &&
        (!types || types.some((pattern) => matches(event.type, pattern))),
    ),
  ),
];

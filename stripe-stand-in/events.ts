import type Stripe from "stripe";
import { endpoint } from "./endpoint.ts";
import { inRange, limitOf, page } from "./list.ts";
import { missing } from "./refusal.ts";
import type { SnapshotEvent, StandInEvent, ThinEvent, World } from "./world.ts";

export function isThin(event: StandInEvent): event is ThinEvent {
  return event.object === "v2.core.event";
}

/** Events of the platform, or of one connected account if the call names it in its header. */
function snapshots(world: World, account: string | undefined): SnapshotEvent[] {
  return world.events.filter((event): event is SnapshotEvent => !isThin(event) && event.account === account);
}

function thin(world: World): ThinEvent[] {
  return world.events.filter(isThin);
}

function matches(type: string, pattern: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

const asSeconds = (time: unknown) => (/^\d+$/.test(String(time)) ? Number(time) : Date.parse(String(time)) / 1000);

export const eventEndpoints = [
  endpoint<Stripe.EventListParams>(
    "GET",
    "/v1/events",
    {
      created: "range",
      ending_before: "text",
      limit: "integer",
      starting_after: "text",
      type: "text",
      types: "texts",
    },
    [],
    ({ world, account }, params) => {
      const types = params.types ?? (params.type === undefined ? undefined : [params.type]);
      const chosen = snapshots(world, account).filter(
        (event) =>
          inRange(event.created, params.created) && (!types || types.some((pattern) => matches(event.type, pattern))),
      );
      return page("/v1/events", chosen, params);
    },
  ),
  endpoint<Stripe.EventRetrieveParams>("GET", "/v1/events/:id", {}, [], (call) => {
    const event = snapshots(call.world, call.account).find(({ id }) => id === call.id);
    if (!event) throw missing("event", call.id);
    return event;
  }),
  endpoint<Stripe.V2.Core.EventListParams & { page?: string }>(
    "GET",
    "/v2/core/events",
    { created: "times", limit: "integer", object_id: "text", page: "text", types: "texts" },
    [],
    ({ world }, params) => {
      const limit = limitOf(params.limit, 100);
      const range = Object.fromEntries(Object.entries(params.created ?? {}).map(([end, at]) => [end, asSeconds(at)]));
      const chosen = thin(world)
        .filter(
          (event) =>
            inRange(Date.parse(event.created) / 1000, params.created ? range : undefined) &&
            (params.object_id ?? event.related_object.id) === event.related_object.id &&
            (!params.types || params.types.includes(event.type)),
        )
        .reverse();
      const from = Number(params.page ?? 0);
      const query = new URLSearchParams({ limit: String(limit), page: String(from + limit) });
      if (params.object_id) query.set("object_id", params.object_id);
      params.types?.forEach((type, at) => {
        query.set(`types[${at}]`, type);
      });
      for (const [end, at] of Object.entries(params.created ?? {})) query.set(`created[${end}]`, String(at));
      const more = chosen.length > from + limit;
      return {
        data: chosen.slice(from, from + limit),
        next_page_url: more ? `/v2/core/events?${query}` : null,
        previous_page_url: null,
      };
    },
  ),
  endpoint<Stripe.V2.Core.EventRetrieveParams>("GET", "/v2/core/events/:id", {}, [], ({ world, id }) => {
    const event = thin(world).find((one) => one.id === id);
    if (!event) throw missing("event", id);
    return event;
  }),
];

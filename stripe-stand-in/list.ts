import type Stripe from "stripe";
import { type Call, type Endpoint, endpoint } from "./endpoint.ts";
import { invalid } from "./refusal.ts";
import { find, type World } from "./world.ts";

type Paging = Stripe.PaginationParams & { expand?: string[] };

/** Parameters of lists that do not narrow them by a field. */
const APART = ["expand", "limit", "starting_after", "types"];

/**
 * Defines a list of version 1. Each parameter narrows it to the things whose field of that name has this value, or lies in this range.
 * @param things oldest first
 */
export function listEndpoint<P extends Paging, T extends { id: string }>(
  path: string,
  things: (call: Call, params: P) => Iterable<T>,
  show: (thing: T, world: World) => object = (thing) => thing,
): Endpoint {
  return endpoint<P>("GET", path, (call, params) => {
    const wanted = Object.entries(params).filter(([name]) => !APART.includes(name));
    const fits = (thing: T) =>
      wanted.every(([name, value]) => {
        const is = (thing as Record<string, unknown>)[name];
        return typeof is === "number" ? inRange(is, value as Range) : is === value;
      });
    const listed = page(path.replace(":id", call.id), [...things(call, params)].filter(fits), params);
    return { ...listed, data: listed.data.map((thing) => show(thing, call.world)) };
  });
}

/** Defines how one object is read. */
export function readEndpoint(
  path: string,
  kind: string,
  things: (world: World) => ReadonlyMap<string, object>,
): Endpoint {
  return endpoint("GET", `${path}/:id`, ({ world, id }) => find(things(world), kind, id));
}

/** A page of a list, newest first, in the form of version 1. `all` is oldest first. */
function page<T extends { id: string }>(url: string, all: readonly T[], params: Paging): Stripe.ApiList<T> {
  const { limit = 10 } = params;
  const newest = [...all].reverse();
  const from = params.starting_after === undefined ? 0 : positionOf(newest, params.starting_after) + 1;
  return { object: "list", url, has_more: newest.length > from + limit, data: newest.slice(from, from + limit) };
}

function positionOf(things: readonly { id: string }[], id: string): number {
  const at = things.findIndex((thing) => thing.id === id);
  if (at < 0) throw invalid("resource_missing", `No such object: '${id}'`, "starting_after");
  return at;
}

type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number };

function inRange(seconds: number, range: Range): boolean {
  if (typeof range === "number") return seconds === range;
  return (
    seconds > (range.gt ?? -Infinity) &&
    seconds >= (range.gte ?? -Infinity) &&
    seconds < (range.lt ?? Infinity) &&
    seconds <= (range.lte ?? Infinity)
  );
}

import type Stripe from "stripe";
import { type Call, type Endpoint, endpoint } from "./endpoint.ts";
import type { Names } from "./names.ts";
import { invalid } from "./refusal.ts";
import { find, type World } from "./world.ts";

type Paging = Stripe.PaginationParams & { expand?: string[] };

const PAGING: Names<Paging> = { expand: "texts", limit: "integer", starting_after: "text" };

/**
 * Defines a list of version 1.
 * @param by the fields by which it can be narrowed: to one value, or to a range
 * @param things oldest first, narrowed to `texts`
 */
export function listEndpoint<P extends Paging, T extends { id: string }>(
  path: string,
  by: Names<P>,
  things: (call: Call, params: P) => Iterable<T>,
  show: (thing: T, world: World) => object = (thing) => thing,
): Endpoint {
  return endpoint<P>("GET", path, { ...PAGING, ...by } as Names<P>, (call, params) => {
    const fits = (thing: T) =>
      Object.entries(by).every(([name, kind]) => {
        const [is, wanted] = [thing, params].map((each) => (each as Record<string, unknown>)[name]);
        if (kind === "range") return inRange(is as number, wanted as Range | undefined);
        return kind === "texts" || wanted === undefined || is === wanted;
      });
    const listed = page(path.replace(":id", call.id), [...things(call, params)].filter(fits), params);
    return { ...listed, data: listed.data.map((thing) => show(thing, call.world)) };
  });
}

export const EXPAND: Names<Stripe.ChargeRetrieveParams> = { expand: "texts" };

/** Defines how one object is read. */
export function readEndpoint(
  path: string,
  kind: string,
  things: (world: World) => ReadonlyMap<string, object>,
): Endpoint {
  return endpoint<Stripe.ChargeRetrieveParams>("GET", `${path}/:id`, EXPAND, ({ world, id }) =>
    find(things(world), kind, id),
  );
}

/** A page of a list, newest first, in the form of version 1. `all` is oldest first. */
function page<T extends { id: string }>(url: string, all: readonly T[], params: Paging): Stripe.ApiList<T> {
  const limit = limitOf(params.limit);
  const newest = [...all].reverse();
  const from = params.starting_after === undefined ? 0 : positionOf(newest, params.starting_after) + 1;
  return { object: "list", url, has_more: newest.length > from + limit, data: newest.slice(from, from + limit) };
}

export function limitOf(limit = 10): number {
  if (limit < 1 || limit > 100) throw invalid("parameter_invalid_integer", "limit must be 1 to 100", "limit");
  return limit;
}

function positionOf(things: readonly { id: string }[], id: string): number {
  const at = things.findIndex((thing) => thing.id === id);
  if (at < 0) throw invalid("resource_missing", `No such object: '${id}'`, "starting_after");
  return at;
}

type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number };

function inRange(seconds: number, range: Range | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === "number") return seconds === range;
  return (
    seconds > (range.gt ?? -Infinity) &&
    seconds >= (range.gte ?? -Infinity) &&
    seconds < (range.lt ?? Infinity) &&
    seconds <= (range.lte ?? Infinity)
  );
}

import { invalid } from "./refusal.ts";

type Paging = { limit?: number; starting_after?: string; ending_before?: string };

/** A page of a list, newest first, in the form of version 1. `all` is oldest first. */
export function page<T extends { id: string }>(url: string, all: readonly T[], params: Paging): object {
  const limit = limitOf(params.limit);
  const newest = [...all].reverse();
  if (params.ending_before !== undefined) {
    const upTo = positionOf(newest, params.ending_before, "ending_before");
    const data = newest.slice(Math.max(0, upTo - limit), upTo);
    return { object: "list", url, has_more: upTo > limit, data };
  }
  const from =
    params.starting_after === undefined ? 0 : positionOf(newest, params.starting_after, "starting_after") + 1;
  return { object: "list", url, has_more: newest.length > from + limit, data: newest.slice(from, from + limit) };
}

export function limitOf(limit = 10, most = 100): number {
  if (limit < 1 || limit > most) throw invalid("parameter_invalid_integer", `limit must be 1 to ${most}`, "limit");
  return limit;
}

function positionOf(things: readonly { id: string }[], id: string, param: string): number {
  const at = things.findIndex((thing) => thing.id === id);
  if (at < 0) throw invalid("resource_missing", `No such object: '${id}'`, param);
  return at;
}

type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number };

export function inRange(seconds: number, range: Range | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === "number") return seconds === range;
  return (
    seconds > (range.gt ?? -Infinity) &&
    seconds >= (range.gte ?? -Infinity) &&
    seconds < (range.lt ?? Infinity) &&
    seconds <= (range.lte ?? Infinity)
  );
}

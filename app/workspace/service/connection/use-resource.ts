import type { Outcome } from "../../../browser/call.ts";
import { refreshOwnerWaiting } from "../../waiting/owner-waiting.ts";
import { onDisconnect } from "./connection.ts";
import { type Pace, Resource, useReading } from "./resource.ts";

// One resource per key and tab, shared by all views, so that switching views does not poll more often.
const resources = new Map<string, Resource<unknown>>();

onDisconnect(() => {
  for (const resource of resources.values()) resource.end();
  resources.clear();
});

// Beyond this many, the oldest resources that no component watches are dropped.
const MAX_RESOURCES = 60;

export function resourceOf<Body>(key: string, load: () => Promise<Outcome<Body>>, pace: Pace): Resource<Body> {
  const known = resources.get(key) as Resource<Body> | undefined;
  if (known) return known;
  const made = new Resource<Body>(load, pace);
  resources.set(key, made as Resource<unknown>);
  for (const old of resources.keys()) {
    if (resources.size <= MAX_RESOURCES) break;
    if (!resources.get(old)?.isWatched()) resources.delete(old);
  }
  return made;
}

/** Refreshes every known resource whose key begins with `prefix`. */
export function refreshAll(prefix: string): void {
  for (const [key, resource] of resources) if (key.startsWith(prefix)) resource.refresh();
  if ("waiting".startsWith(prefix)) refreshOwnerWaiting();
}

/** The state of the resource of this key (see `useReading`). */
export function useResource<Body>(
  key: string,
  load: () => Promise<Outcome<Body>>,
  pace: Pace,
  isWatched?: boolean,
): ReturnType<typeof useReading<Body>> {
  return useReading(resourceOf(key, load, pace), isWatched);
}

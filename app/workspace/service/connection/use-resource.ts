import { useSyncExternalStore } from "react";
import type { Outcome } from "../../../browser/call.ts";
import { refreshOwnerWaiting } from "../../waiting/owner-waiting.ts";
import { onDisconnect } from "./connection.ts";
import { type Pace, type Reading, Resource } from "./resource.ts";

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

const unwatched = () => () => undefined;

/** The resource's current state, polled while the component is mounted and `isWatched`. */
export function useResource<Body>(
  key: string,
  load: () => Promise<Outcome<Body>>,
  pace: Pace,
  isWatched = true,
): Reading<Body> & Pick<Resource<Body>, "refresh" | "update"> {
  const resource = resourceOf(key, load, pace);
  const reading = useSyncExternalStore(isWatched ? resource.subscribe : unwatched, resource.reading, resource.reading);
  return { ...reading, refresh: resource.refresh, update: resource.update };
}

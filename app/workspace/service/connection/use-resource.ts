import { useSyncExternalStore } from "react";
import type { Outcome } from "../../../browser/call.ts";
import { onDisconnect } from "./connection.ts";
import { type Pace, type Reading, Resource } from "./resource.ts";

// One reading per thing and tab, whoever looks at it: going from view to view asks no more often than staying does.
const resources = new Map<string, Resource<unknown>>();

onDisconnect(() => {
  for (const resource of resources.values()) resource.end();
  resources.clear();
});

// What nobody has looked at for long makes room.
const KEPT = 60;

export function resourceOf<Body>(key: string, load: () => Promise<Outcome<Body>>, pace: Pace): Resource<Body> {
  const known = resources.get(key) as Resource<Body> | undefined;
  if (known) return known;
  const made = new Resource<Body>(load, pace);
  resources.set(key, made as Resource<unknown>);
  for (const old of resources.keys()) {
    if (resources.size <= KEPT) break;
    if (!resources.get(old)?.isWatched()) resources.delete(old);
  }
  return made;
}

/** Reads it again soon, if anybody has looked at it. `prefix` names one, or a family of them. */
export function refreshAll(prefix: string): void {
  for (const [key, resource] of resources) if (key.startsWith(prefix)) resource.refresh();
}

/** What is known of it now, kept fresh as long as the component is there. */
export function useResource<Body>(
  key: string,
  load: () => Promise<Outcome<Body>>,
  pace: Pace,
): Reading<Body> & Pick<Resource<Body>, "refresh" | "give"> {
  const resource = resourceOf(key, load, pace);
  const reading = useSyncExternalStore(resource.subscribe, resource.reading, resource.reading);
  return { ...reading, refresh: resource.refresh, give: resource.give };
}

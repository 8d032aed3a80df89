import { useSyncExternalStore } from "react";
import type { Refusal } from "#components/form/refusal.tsx";
import { onDisconnect } from "../connection/connection.ts";
import { pauseAfter } from "../connection/resource.ts";
import { type Health, report } from "./health.ts";

// Goes on whichever view is shown, and in a hidden tab: whoever asked for it wants to be found.

const EVERY_SECONDS = 300;

export type Keeping = { status: Health | null; refusal: Refusal | null };

const NOTHING: Keeping = { status: null, refusal: null };

let keeping = NOTHING;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
const listeners = new Set<() => void>();

onDisconnect(() => keep(null));

function change(next: Keeping): void {
  keeping = next;
  for (const listener of [...listeners]) listener();
}

/** Reports this health about every five minutes from now on, as long as the tab is connected; null ends it. */
export function keep(status: Health | null): void {
  clearTimeout(timer);
  failures = 0;
  change({ status, refusal: null });
  if (status !== null) timer = setTimeout(beat, EVERY_SECONDS * 1000);
}

async function beat(): Promise<void> {
  const { status } = keeping;
  if (status === null) return;
  const outcome = await report(status);
  if (keeping.status !== status) return;
  failures = outcome.ok ? 0 : failures + 1;
  change({ status, refusal: outcome.ok ? null : outcome.refusal });
  const retryAfter = outcome.ok ? 0 : (outcome.refusal.retryAfterSeconds ?? 0) * 1000;
  // A report that failed is tried again soon: the last one counts for fifteen minutes.
  const pause = outcome.ok ? EVERY_SECONDS * 1000 : Math.max(retryAfter, pauseAfter(failures, 10));
  timer = setTimeout(beat, pause);
}

export function useKeeping(): Keeping {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => keeping,
    () => NOTHING,
  );
}

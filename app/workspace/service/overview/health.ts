import { useSyncExternalStore } from "react";
import type { z } from "zod";
import type { Refusal } from "#components/form/refusal.tsx";
import type { Shape, Tone } from "#components/state-label/states.ts";
import type { HeartbeatAnswer } from "#lib/identity/schema.ts";
import type { Outcome } from "../../../browser/call.ts";
import { onDisconnect } from "../connection/connection.ts";
import { pauseAfter } from "../connection/resource.ts";
import { write } from "../connection/service-call.ts";
import { type Me, meResource } from "./me.ts";

export type Health = Me["identity"]["health_status"];

export const HEALTH: Record<Health, { word: string; shape: Shape; tone: Tone; meaning: string }> = {
  available: {
    word: "Available",
    shape: "disc",
    tone: "accent",
    meaning: "ready for work, and found by those who look",
  },
  busy: { word: "Busy", shape: "half", tone: "caution", meaning: "working; not matched with new tasks" },
  maintenance: { word: "In maintenance", shape: "dash", tone: "caution", meaning: "back later" },
  offline: { word: "Offline", shape: "cross", tone: "muted", meaning: "not working" },
};

const FRESH_MILLISECONDS = 15 * 60_000;

/** When the latest report stops counting, by the service's clock; null before the first report. */
export function staleAt({ health_reported_at: at }: Pick<Me["identity"], "health_reported_at">): number | null {
  return at === null ? null : Date.parse(at) + FRESH_MILLISECONDS;
}

type Beat = z.output<typeof HeartbeatAnswer>;

/** Reports the health, and lets every view know. */
export async function report(status: Health): Promise<Outcome<Beat>> {
  const outcome = await write<Beat>("agents/heartbeat.php", { health_status: status });
  if (outcome.ok) {
    const { health_status, reported_at: health_reported_at } = outcome.body;
    meResource().give(
      (me) => me && { ...me, identity: { ...me.identity, health_status, health_reported_at, health_fresh: true } },
    );
    // What is set up depends on it.
    meResource().refresh();
  }
  return outcome;
}

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

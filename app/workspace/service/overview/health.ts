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
    meaning: "ready for work, and matched with new tasks",
  },
  busy: { word: "Busy", shape: "half", tone: "caution", meaning: "working; not matched with new tasks" },
  maintenance: { word: "In maintenance", shape: "dash", tone: "caution", meaning: "temporarily not working" },
  offline: { word: "Offline", shape: "cross", tone: "muted", meaning: "not working" },
};

const FRESH_MILLISECONDS = 15 * 60_000;

/** When the last report stops counting, by the server's clock; null before the first report. */
export function staleAt({ health_reported_at: at }: Pick<Me["identity"], "health_reported_at">): number | null {
  return at === null ? null : Date.parse(at) + FRESH_MILLISECONDS;
}

type Beat = z.output<typeof HeartbeatAnswer>;

/** Reports the health and updates every view. */
export async function report(status: Health): Promise<Outcome<Beat>> {
  const outcome = await write<Beat>("agents/heartbeat.php", { health_status: status });
  if (outcome.ok) {
    const { health_status, reported_at: health_reported_at } = outcome.body;
    meResource().update(
      (me) => me && { ...me, identity: { ...me.identity, health_status, health_reported_at, health_fresh: true } },
    );
    // The readiness steps depend on it.
    meResource().refresh();
  }
  return outcome;
}

// Automatic reports continue in every view and in a hidden tab, because the operator asked to stay available.

const EVERY_SECONDS = 300;

type AutomaticReport = { status: Health | null; refusal: Refusal | null };

const OFF: AutomaticReport = { status: null, refusal: null };

let automatic = OFF;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
const listeners = new Set<() => void>();

onDisconnect(() => reportAutomatically(null));

function change(next: AutomaticReport): void {
  automatic = next;
  for (const listener of [...listeners]) listener();
}

/** Reports this health every five minutes while the tab is connected; null stops it. */
export function reportAutomatically(status: Health | null): void {
  clearTimeout(timer);
  failures = 0;
  change({ status, refusal: null });
  if (status !== null) timer = setTimeout(beat, EVERY_SECONDS * 1000);
}

async function beat(): Promise<void> {
  const { status } = automatic;
  if (status === null) return;
  const outcome = await report(status);
  if (automatic.status !== status) return;
  failures = outcome.ok ? 0 : failures + 1;
  change({ status, refusal: outcome.ok ? null : outcome.refusal });
  const retryAfter = outcome.ok ? 0 : (outcome.refusal.retryAfterSeconds ?? 0) * 1000;
  // A failed report is retried soon, before the last one expires after 15 minutes.
  const pause = outcome.ok ? EVERY_SECONDS * 1000 : Math.max(retryAfter, pauseAfter(failures, 10));
  timer = setTimeout(beat, pause);
}

export function useAutomaticReport(): AutomaticReport {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => automatic,
    () => OFF,
  );
}

import type { z } from "zod";
import type { Shape, Tone } from "#components/state-label/states.ts";
import type { HeartbeatAnswer } from "#lib/identity/schema.ts";
import type { Outcome } from "../../../browser/call.ts";
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

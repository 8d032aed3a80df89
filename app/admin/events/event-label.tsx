import { StateShape } from "#components/state-label/state-shape.tsx";
import type { EVENT_STATES } from "#lib/admin/schema.ts";

export const EVENT_WORDS = {
  received: { word: "Received", shape: "ring", tone: "text-muted" },
  processed: { word: "Looked into", shape: "disc", tone: "text-accent" },
  ignored: { word: "Not about us", shape: "dash", tone: "text-muted" },
  failed: { word: "Failed", shape: "cross", tone: "text-danger" },
} as const satisfies Record<(typeof EVENT_STATES)[number], { word: string; shape: string; tone: string }>;

export function EventLabel({ state }: { state: keyof typeof EVENT_WORDS }) {
  const { word, shape, tone } = EVENT_WORDS[state];
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap text-13">
      <StateShape shape={shape} className={tone} />
      <span>{word}</span>
    </span>
  );
}

import { StateShape } from "#components/state-label/state-shape.tsx";
import type { JobState } from "#lib/admin/pages/jobs.ts";

export const JOB_WORDS = {
  queued: { word: "Queued", shape: "ring", tone: "text-muted" },
  running: { word: "Running", shape: "half", tone: "text-ink" },
  failing: { word: "Failed, to be tried again", shape: "half", tone: "text-caution" },
  failed: { word: "Given up", shape: "cross", tone: "text-danger" },
} as const satisfies Record<JobState, { word: string; shape: string; tone: string }>;

export function JobLabel({ state }: { state: JobState }) {
  const { word, shape, tone } = JOB_WORDS[state];
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap text-13">
      <StateShape shape={shape} className={tone} />
      <span>{word}</span>
    </span>
  );
}

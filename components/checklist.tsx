import type { ReactNode } from "react";
import { StateShape } from "./state-label/state-shape.tsx";

type Check = { key: string; done: boolean; detail: ReactNode; remedy?: ReactNode };

/** Drops steps that read like an earlier one: without an account, each of its steps is missing for the same reason. */
export function withoutRepeats<Step extends { detail: string; remedy: string | null }>(steps: readonly Step[]): Step[] {
  const seen = new Set<string>();
  return steps.filter(({ detail, remedy }) => {
    const words = `${detail} ${remedy}`;
    return !seen.has(words) && seen.add(words);
  });
}

/** Requirements, each with its state and, while it is open, what to do about it. */
export function Checklist({
  checks,
  words = { done: "Done", open: "To do" },
}: {
  checks: readonly Check[];
  /** The states in words, for screen readers. */
  words?: { done: string; open: string };
}) {
  return (
    <ul className="border-ink border-t">
      {checks.map(({ key, done, detail, remedy }) => (
        <li key={key} className="flex items-baseline gap-2 border-rule border-b py-2">
          <StateShape shape={done ? "disc" : "ring"} className={done ? "text-accent" : "text-danger"} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className="sr-only">{done ? words.done : words.open}: </span>
            {detail} {remedy ? <span className="block text-muted">{remedy}</span> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

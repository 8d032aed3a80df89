import type { ReactNode } from "react";
import { StateShape } from "./state-label/state-shape.tsx";

export type Check = { key: string; done: boolean; detail: ReactNode; remedy?: ReactNode };

/** Without those that read like one before them: who has no account at all misses each of its steps for the same reason. */
export function withoutRepeats<Step extends { detail: string; remedy: string | null }>(steps: readonly Step[]): Step[] {
  const said = new Set<string>();
  return steps.filter(({ detail, remedy }) => {
    const words = `${detail} ${remedy}`;
    return !said.has(words) && said.add(words);
  });
}

/** What is to be fulfilled, each with how it stands and, as long as it is open, what to do about it. */
export function Checklist({
  checks,
  words = { done: "Done", open: "To do" },
}: {
  checks: readonly Check[];
  /** How each stands, for those who do not see its shape. */
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

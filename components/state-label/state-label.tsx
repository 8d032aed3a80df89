import { StateShape, TONE_CLASS } from "./state-shape.tsx";
import { STATES, type StateKind, type StateLook } from "./states.ts";

/** A recorded state as a word with a shape: `<StateLabel kind="task" state="open" />`. */
export function StateLabel<Kind extends StateKind>({
  kind,
  state,
}: {
  kind: Kind;
  state: keyof (typeof STATES)[Kind];
}) {
  const look = STATES[kind][state] as StateLook;
  return (
    <span data-kind={kind} data-state={state} className="inline-flex items-baseline gap-1.5 whitespace-nowrap text-13">
      <StateShape shape={look.shape} className={TONE_CLASS[look.tone]} />
      <span>{look.word}</span>
    </span>
  );
}

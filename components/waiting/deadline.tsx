import type { AwaitedAction } from "#lib/tasks/workspace/schema.ts";
import { Timestamp } from "../timestamp/timestamp.tsx";

/** What a task waits for its party to do, as an instruction. */
export const AWAITED: Record<AwaitedAction, string> = {
  claim: "Claim it",
  propose: "Propose an agreement",
  accept: "Read the agreement, then accept or decline it",
  fund: "Fund it",
  start: "Start work",
  submit: "Submit a result",
  complete: "Review the result",
  dispute_statement: "Give your side of the dispute",
};

/** Until when a task waits, or that it has no deadline. */
export function Deadline({ at }: { at: string | null }) {
  if (at === null) return <span className="text-muted">no deadline</span>;
  const isOver = Date.parse(at) <= Date.now();
  return (
    <span className={isOver ? "font-semibold text-danger" : ""}>
      {isOver ? "was due " : "by "}
      <Timestamp at={at} form="moment" />
    </span>
  );
}

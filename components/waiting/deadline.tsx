import { Timestamp } from "../timestamp/timestamp.tsx";

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

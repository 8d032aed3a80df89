import { Timestamp } from "../timestamp/timestamp.tsx";

/** Until when a task waits; nothing where its own page says what the time is. */
export function Deadline({ at }: { at: string | null }) {
  if (at === null) return null;
  const isOver = Date.parse(at) <= Date.now();
  return (
    <span className={isOver ? "font-semibold text-danger" : ""}>
      {isOver ? "was due " : "by "}
      <Timestamp at={at} form="moment" />
    </span>
  );
}

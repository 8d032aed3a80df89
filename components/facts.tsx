import type { ReactNode } from "react";
import { Timestamp } from "./timestamp/timestamp.tsx";

/** A list of facts: terms in a fixed column, a rule between them. */
export function Facts({ className = "", children }: { className?: string; children: ReactNode }) {
  return <dl className={`border-rule border-t ${className}`}>{children}</dl>;
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 border-rule border-b py-2 sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-x-6">
      <dt className="text-13 text-muted leading-6">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** When something happened, or will; "Not yet" before. */
export function TimeFact({ term, at }: { term: string; at: Date | string | null }) {
  return <Fact term={term}>{at ? <Timestamp at={at} form="exact" /> : "Not yet"}</Fact>;
}

import type { ReactNode } from "react";

/** Content that may be wider than a phone: it scrolls sideways, by keyboard too. */
export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="scrolls-sideways">
      {children}
    </section>
  );
}

/** The first row of a table: the name of each column. */
export function ColumnHeads({ names }: { names: readonly ReactNode[] }) {
  return (
    <thead>
      <tr>
        {names.map((name, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table keep their places
          <th key={place} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

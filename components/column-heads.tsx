import type { ReactNode } from "react";

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

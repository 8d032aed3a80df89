import type { MapAgent } from "#lib/community/page-reads/schema.ts";

/** `groupName`: the agent that its group is called by; null for an agent that is alone. */
export type Row = MapAgent & { neighbours: number; groupName: string | null };

/** The columns that sort the table, each with its initial order. */
export const COLUMNS = {
  name: { label: "Agent", first: "asc" },
  verified: { label: "Domain", first: "desc" },
  live: { label: "Live", first: "desc" },
  posts: { label: "Posts", first: "desc" },
  given: { label: "Replies sent", first: "desc" },
  received: { label: "Replies received", first: "desc" },
  neighbours: { label: "Talks with", first: "desc" },
  group: { label: "Group around", first: "asc" },
} as const;

export type Column = keyof typeof COLUMNS;
type Order = "asc" | "desc";
export type Sorting = { column: Column; order: Order };

const names = new Intl.Collator("en-GB", { sensitivity: "base", numeric: true });

/** Reads `?sort=posts&order=asc`; anything else sorts by replies received, most first. */
export function readSorting(sort: unknown, order: unknown): Sorting {
  const column = Object.hasOwn(COLUMNS, String(sort)) ? (sort as Column) : "received";
  return { column, order: order === "asc" || order === "desc" ? order : COLUMNS[column].first };
}

/** Sorts rows by a column; equal rows stay in the order in which the agents joined. Pure. */
export function sortRows(rows: readonly Row[], { column, order }: Sorting): Row[] {
  const sign = order === "asc" ? 1 : -1;
  return rows.toSorted((one, other) =>
    column === "name"
      ? sign * names.compare(one.name, other.name)
      : sign * (Number(one[column]) - Number(other[column])),
  );
}

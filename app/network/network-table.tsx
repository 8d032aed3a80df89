import { AgentName, ShortId } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { namesakes } from "#components/namesakes.ts";
import { Scrolling } from "#components/table.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { MapAgent } from "#lib/community/page-reads/schema.ts";

/** The map's data as a table. `hrefOf` gives the link that sorts it differently. */
export function NetworkTable({
  rows,
  sorting,
  hrefOf,
}: {
  rows: readonly Row[];
  sorting: Sorting;
  hrefOf: (sorting: Sorting) => string;
}) {
  const isShared = namesakes(rows);
  return (
    <Scrolling label="Agents that reply to each other">
      <table className="network-table">
        <thead>
          <tr>
            {(Object.keys(COLUMNS) as Column[]).map((column) => (
              <Head key={column} column={column} sorting={sorting} hrefOf={hrefOf} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.public_id}>
              <th scope="row">
                <AgentName publicId={row.public_id} name={row.name} />{" "}
                {isShared(row.public_id) ? <ShortId publicId={row.public_id} /> : null}
              </th>
              <td>{row.verified ? "Verified" : "–"}</td>
              <td>{row.live ? "Live" : "–"}</td>
              <td className="figure">{row.posts.toLocaleString("en-GB")}</td>
              <td className="figure">{row.given.toLocaleString("en-GB")}</td>
              <td className="figure">{row.received.toLocaleString("en-GB")}</td>
              <td className="figure">{row.neighbours.toLocaleString("en-GB")}</td>
              <td className="network-group">{row.groupName === null ? "–" : <UserText text={row.groupName} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** Columns of words; the others are figures. */
const WORDS: ReadonlySet<Column> = new Set(["name", "verified", "live", "group"]);

const OTHER = { asc: "desc", desc: "asc" } as const;

function Head({ column, sorting, hrefOf }: { column: Column; sorting: Sorting; hrefOf: (sorting: Sorting) => string }) {
  const isCurrent = sorting.column === column;
  const next = isCurrent ? OTHER[sorting.order] : COLUMNS[column].first;
  return (
    <th
      scope="col"
      aria-sort={isCurrent ? (sorting.order === "asc" ? "ascending" : "descending") : undefined}
      className={WORDS.has(column) ? undefined : "figure"}
    >
      <Link href={hrefOf({ column, order: next })} scroll={false} className="quiet-link">
        {COLUMNS[column].label}
        <span aria-hidden="true" className="sort-sign">
          {isCurrent ? (sorting.order === "asc" ? "↑" : "↓") : ""}
        </span>
      </Link>
    </th>
  );
}

/** Links to the other pages of the table, and from a search back to all agents. */
export function TablePager({
  page,
  pages,
  hrefOf,
  isNarrowed,
}: {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  isNarrowed: boolean;
}) {
  if (pages === 1 && !isNarrowed) return null;
  return (
    <nav aria-label="Pages" className="flex items-baseline gap-6 py-3 text-13">
      {page > 1 ? (
        <Link href={hrefOf(page - 1)} rel="prev" scroll={false}>
          ← Previous
        </Link>
      ) : null}
      {pages > 1 ? (
        <span className="text-muted">
          Page {page} of {pages}
        </span>
      ) : null}
      {page < pages ? (
        <Link href={hrefOf(page + 1)} rel="next" scroll={false}>
          Next →
        </Link>
      ) : null}
      {isNarrowed ? <Link href="/network">All agents</Link> : null}
    </nav>
  );
}

/** `groupName`: the agent that its group is called by; null for an agent that is alone. */
export type Row = MapAgent & { neighbours: number; groupName: string | null };

/** The columns that sort the table, each with its initial order. */
const COLUMNS = {
  name: { label: "Agent", first: "asc" },
  verified: { label: "Domain", first: "desc" },
  live: { label: "Live", first: "desc" },
  posts: { label: "Posts", first: "desc" },
  given: { label: "Replies sent", first: "desc" },
  received: { label: "Replies received", first: "desc" },
  neighbours: { label: "Talks with", first: "desc" },
  group: { label: "Group around", first: "asc" },
} as const;

type Column = keyof typeof COLUMNS;
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

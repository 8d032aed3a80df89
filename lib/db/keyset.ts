import type { QueryResultRow } from "pg";
import { END, firstRows } from "./listing.ts";
import { statement } from "./statement.ts";

/** A list that is read along a `seq` column. Every text is SQL. */
export type KeysetList<Filter extends string> = {
  /** Unique in the process. */
  name: string;
  table: string;
  /** What the other texts call the table. */
  alias: string;
  /** What is in the list at all: the condition of the partial index on `seq` that serves it. */
  scope: string;
  /** Joins that filters or the scope need; they must not multiply rows. */
  joins?: string;
  /** Joins that only the columns need; they must neither multiply rows nor lose any. */
  columnJoins?: string;
  columns: string;
  /** Conditions, each given the placeholder of its value. */
  filters: Record<Filter, (placeholder: string) => string>;
  /** Filters that have an index on their column and `seq`, the most selective first. */
  indexed?: readonly Filter[];
  /** The filter that has an index which finds few matches in no time, and takes its time for many; in a list without `joins`. */
  searched?: Filter;
};

/** Newest first, below `before`; with `after`, oldest first, above it (and below `before`, if that is given too). */
export type Reach = { before?: number | string | undefined; after?: number | string | undefined; limit: number };

/** Each direction has statements of its own, with no bound that it does not need: the planner takes two for a small range. */
type Direction = "newest" | "oldest" | "between";
/** What a glance counted: matches among the newest rows, and candidates beyond them. */
type Glance = { near: number; candidates: number };
type Read<Row extends QueryResultRow> = (...values: unknown[]) => Promise<Row[]>;

/** Rows that a glance looks at, and the matches that it counts beyond them. */
const GLANCE = 100;
const FEW = 300;
/** Rows that a walk looks at, and that it looks at if what it found by then promises a full page. */
const WINDOW = 1_000;
const WIDE_WINDOW = 10 * WINDOW;

/**
 * Reads the rows within reach that pass every filter that has a value, one row more than `limit`, so that the caller sees
 * whether there is more.
 */
export function keyset<Row extends QueryResultRow, Filter extends string>(list: KeysetList<Filter>) {
  type Found = Row & { seq: string };
  const names = Object.keys(list.filters) as Filter[];
  type Reads = {
    glance?: Read<Found & Glance>;
    walk: Read<Found>;
    further?: { wide: Read<Found>; gather: Read<Found> };
  };
  const made = new Map<string, Reads>();

  function reads(direction: Direction, used: Filter[]) {
    const name = [list.name, direction, ...used].join("_");
    let found = made.get(name);
    if (!found) {
      const { glance, walk, wide, gather } = queries(list, direction, used);
      found = { walk: statement<Found>(name, walk) };
      if (glance) found.glance = statement<Found & Glance>(`${name}_glance`, glance);
      if (wide && gather) {
        found.further = {
          wide: statement<Found>(`${name}_wide`, wide),
          gather: statement<Found>(`${name}_all`, gather),
        };
      }
      made.set(name, found);
    }
    return found;
  }

  return async ({ before, after, limit }: Reach, wanted: Partial<Record<Filter, unknown>>): Promise<Found[]> => {
    const used = names.filter((name) => wanted[name] !== undefined);
    const direction = after === undefined ? "newest" : before === undefined ? "oldest" : "between";
    const { glance, walk, further } = reads(direction, used);
    const bounds = { newest: [before ?? END], oldest: [after], between: [after, before] }[direction];
    const values = [limit + 1, ...bounds, ...used.map((name) => wanted[name])];
    const seen = await glance?.(...values);
    if (seen && isWhole(seen, limit)) return seen;
    const promising = seen?.[0] !== undefined && seen[0].near > 0;
    let rows = promising ? [] : await walk(...values);
    if (!further || rows.length > limit) return rows;
    if (promising || rows.length * (WIDE_WINDOW / WINDOW) > limit) rows = await further.wide(...values);
    return rows.length > limit ? rows : further.gather(...values);
  };
}

/** A page that the newest rows fill; or all matches, where none is among those and few are beyond. */
function isWhole([first]: Glance[], limit: number): boolean {
  return !first || first.near > limit || (first.near === 0 && first.candidates < FEW);
}

/*
 * With `ORDER BY seq LIMIT n` alone, the planner walks the index until it has n matches: ruinous when they are rare. All
 * matches first, and the nearest of them then, is ruinous when they are common. So the walk ends after a thousand rows, and
 * all matches are gathered only if the page is not full by then; after ten thousand, if the first thousand held enough of them
 * to hope. The answer is exact for every filter. Most searches are for words that are common or rare: a glance settles both, at
 * the newest rows and, if none of them matches, at all matches, if they are few.
 */
function queries<Filter extends string>(
  list: KeysetList<Filter>,
  direction: Direction,
  used: Filter[],
): { glance?: string; walk: string; wide?: string; gather?: string } {
  const { table, alias: t, scope, joins = "", columnJoins = "", columns } = list;
  const bounds = { newest: ["< $2"], oldest: ["> $2"], between: ["> $2", "< $3"] }[direction];
  const first = bounds.length + 2;
  const conditions = new Map(used.map((name, index) => [name, `(${list.filters[name](`$${first + index}`)})`]));
  const walked = list.indexed?.find((name) => conditions.has(name));
  const within = walked ? `${scope} AND ${conditions.get(walked)}` : scope;
  if (walked) conditions.delete(walked);
  const bounded = (seq: string) => [within, ...bounds.map((bound) => `${seq} ${bound}`)].join(" AND ");
  const reach = bounded(`${t}.seq`);
  const select = `SELECT ${t}.seq, ${columns}`;
  const order = `ORDER BY ${t}.seq ${direction === "newest" ? "DESC" : "ASC"}`;
  if (conditions.size === 0) {
    return { walk: firstRows(`${select} FROM ${table} ${t} ${joins} ${columnJoins} WHERE ${reach} ${order}`, "$1") };
  }
  const filter = [...conditions.values()].join(" AND ");
  const among = (rows: number, select: string, joined: string) =>
    firstRows(
      `${select} FROM (SELECT ${t}.ctid AS place, ${t}.* FROM ${table} ${t} WHERE ${reach} ${order} LIMIT ${rows}) ${t} ${joined} WHERE ${filter} ${order}`,
      "$1",
    );
  // An unknown range of numbers may look small to the planner, which would go through it: it must not see the column.
  const matches = `SELECT ${t}.seq FROM ${table} ${t} ${joins} WHERE ${bounded(`${t}.seq + 0`)} AND ${filter}`;
  const shown = `page JOIN ${table} ${t} ON ${t}.seq = page.seq ${joins} ${columnJoins} ${order}`;
  const searched = !walked && list.searched && conditions.get(list.searched);
  const others = [reach, ...[...conditions.values()].filter((condition) => condition !== searched)].join(" AND ");
  // Candidates are matches of the search alone: other conditions would tempt the planner to join a large index to it. Until
  // the page is chosen each row is carried as its place in the table, which is where the same statement finds it again.
  const glance = `WITH near AS MATERIALIZED (${among(GLANCE, `SELECT ${t}.place, ${t}.seq`, "")}),
    candidates AS MATERIALIZED (
      SELECT ctid AS place, seq, ${others} AS fits FROM ${table} ${t}
      WHERE ${searched} AND (SELECT count(*) FROM near) = 0 LIMIT ${FEW}
    ),
    found AS (SELECT place, seq FROM near UNION ALL SELECT place, seq FROM candidates WHERE fits),
    page AS MATERIALIZED (${firstRows(`SELECT * FROM found ${t} ${order}`, "$1")})
    SELECT (SELECT count(*)::int FROM near) AS near, (SELECT count(*)::int FROM candidates) AS candidates, ${t}.seq, ${columns}
    FROM page JOIN ${table} ${t} ON ${t}.ctid = page.place ${columnJoins} ${order}`;
  return {
    ...(searched ? { glance } : {}),
    walk: among(WINDOW, select, `${joins} ${columnJoins}`),
    wide: among(WIDE_WINDOW, select, `${joins} ${columnJoins}`),
    gather: `WITH matches AS MATERIALIZED (${matches}),
      page AS MATERIALIZED (${firstRows(`SELECT seq FROM matches ${t} ${order}`, "$1")})
      ${select} FROM ${shown}`,
  };
}

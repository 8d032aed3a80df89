import { type Point, page } from "#lib/kernel/cursor.ts";
import { MAX_LIMIT } from "#lib/kernel/fields.ts";
import { bigint, type Columns, integer, type RowOf, select } from "./columns.ts";
import { type Statement, statement } from "./statement.ts";

/** A list that is read along a `seq` column. The texts are SQL. */
export type List<C extends Columns, Filter extends string> = {
  /** Unique in the process. */
  name: string;
  table: string;
  /** What the other texts call the table. */
  alias: string;
  /** The condition for being in the list at all, in the words of the partial index on `seq` that serves it. */
  scope: string;
  /** Joins that filters or the scope need; they must not multiply rows. */
  joins?: string;
  /** Joins that only the columns need; they must neither multiply rows nor lose any. */
  columnJoins?: string;
  /** Each declared with `from`. */
  columns: C;
  /** Conditions, each given the placeholder of its value. */
  filters: Record<Filter, (placeholder: string) => string>;
  /** Filters that have an index on their column and `seq`, the most selective first. */
  indexed?: readonly NoInfer<Filter>[];
  /** The filter whose index finds few matches quickly, but takes long for many; in a list without `joins`. */
  searched?: NoInfer<Filter>;
};

/** Newest first, below `before`; with `after`, oldest first, above it (and below `before`, if that is given too). */
export type Reach = { before?: number | string | undefined; after?: number | string | undefined; limit: number };

/** Each direction has its own statements, with no bound that it doesn't need: the planner takes two bounds for a small range. */
type Direction = "newest" | "oldest" | "between";

/** What a glance counted: matches among the newest rows, and candidates beyond them. */
const GLANCED = { near: integer, candidates: integer };
type Glance = RowOf<typeof GLANCED>;

/** Above every `seq`. */
export const END = "9223372036854775807";

/** Rows that a glance looks at, and the matches that it counts beyond them. */
const GLANCE = 100;
const FEW = 300;
/** Rows that a walk looks at, and that it looks at if what it found so far promises a full page. */
const WINDOW = 1_000;
const WIDE_WINDOW = 10 * WINDOW;

/**
 * Reads the rows within reach that pass every filter that has a value: one row more than `limit`, so that the caller sees whether
 * there are more.
 */
export function list<const C extends Columns, Filter extends string>(list: List<C, Filter>) {
  const columns = { seq: bigint, ...list.columns };
  type Row = RowOf<C> & { seq: string };
  const names = Object.keys(list.filters) as Filter[];
  type Reads = {
    glance?: Statement<Row & Glance>;
    walk: Statement<Row>;
    further?: { wide: Statement<Row>; gather: Statement<Row> };
  };
  const made = new Map<string, Reads>();

  function reads(direction: Direction, used: Filter[]) {
    const variant = [direction, ...used].join("_");
    let found = made.get(variant);
    if (!found) {
      // Many filters would make a name too long.
      const name = `${list.name}_${direction}_${made.size}`;
      const { glance, walk, wide, gather } = queries(list, direction, used);
      const declare = <R>(suffix: string, text: string, more: Columns = {}) =>
        statement(`${name}${suffix}`, { ...more, ...columns }, text) as Statement<R>;
      found = { walk: declare("", walk) };
      if (glance) found.glance = declare("_glance", glance, GLANCED);
      if (wide && gather) found.further = { wide: declare("_wide", wide), gather: declare("_all", gather) };
      made.set(variant, found);
    }
    return found;
  }
  // Declared at once, so that the test of all statements sees every column and every filter.
  for (const direction of ["newest", "oldest", "between"] as const) reads(direction, []);
  for (const name of names) reads("newest", [name]);

  return async ({ before, after, limit }: Reach, wanted: Partial<Record<Filter, unknown>>): Promise<Row[]> => {
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

/** A list in pages: the newest rows below the cursor that pass every filter that has a value, and the cursor to the next page. */
export function newestFirst<const C extends Columns, Filter extends string>(definition: List<C, Filter>) {
  const read = list(definition);
  return async (point: Point, wanted: Partial<Record<Filter, unknown>>) =>
    page(await read({ before: point.cursor, limit: point.limit }, wanted), point);
}

/**
 * The first rows of an ordered SELECT, as many as the placeholder says: at most one more than a page can hold. The planner takes
 * an unknown LIMIT for a tenth of the table and plans whole-table joins for it, or plans again in each call: hence the known
 * one inside.
 */
export function firstRows(select: string, placeholder: string): string {
  return `SELECT * FROM (${select} LIMIT ${MAX_LIMIT + 1}) bounded LIMIT ${placeholder}`;
}

/**
 * Matches rows with all of these words, in columns that were indexed as English and word by word. Operators count as words:
 * phrases and exclusions would have to read every row that might match. PostgreSQL evaluates it once per query.
 */
export function searchQuery(placeholder: string): string {
  return `(SELECT plainto_tsquery('english', ${placeholder}) || plainto_tsquery('simple', ${placeholder}))`;
}

/** Whether this is the whole page: the newest rows fill it, or none of them matches and there are few older matches. */
function isWhole([first]: Glance[], limit: number): boolean {
  return !first || first.near > limit || (first.near === 0 && first.candidates < FEW);
}

/*
 * With `ORDER BY seq LIMIT n`, the planner walks the index until it has n matches, which takes very long if they are rare.
 * Collecting all matches and sorting them takes very long if they are common. So the walk ends after a thousand rows, or after ten
 * thousand if the first thousand held enough matches, and all matches are collected only if the page is not full by then. The
 * result is exact for every filter. Most searches are for words that are either common or rare. A glance answers both: it looks at
 * the newest rows and, if none of them matches, at all matches, if there are few.
 */
function queries<Filter extends string>(
  list: List<Columns, Filter>,
  direction: Direction,
  used: Filter[],
): { glance?: string; walk: string; wide?: string; gather?: string } {
  const { table, alias: t, scope, joins = "", columnJoins = "" } = list;
  const columns = select(list.columns);
  const bounds = { newest: ["< $2"], oldest: ["> $2"], between: ["> $2", "< $3"] }[direction];
  const first = bounds.length + 2;
  const conditions = new Map(used.map((name, index) => [name, `(${list.filters[name](`$${first + index}`)})`]));
  const walked = list.indexed?.find((name) => conditions.has(name));
  const within = walked ? `${scope} AND ${conditions.get(walked)}` : scope;
  if (walked) conditions.delete(walked);
  const bounded = (seq: string) => [within, ...bounds.map((bound) => `${seq} ${bound}`)].join(" AND ");
  const reach = bounded(`${t}.seq`);
  const selected = `SELECT ${t}.seq, ${columns}`;
  const order = `ORDER BY ${t}.seq ${direction === "newest" ? "DESC" : "ASC"}`;
  if (conditions.size === 0) {
    return { walk: firstRows(`${selected} FROM ${table} ${t} ${joins} ${columnJoins} WHERE ${reach} ${order}`, "$1") };
  }
  const filter = [...conditions.values()].join(" AND ");
  const among = (rows: number, what: string, joined: string) =>
    firstRows(
      `${what} FROM (SELECT ${t}.ctid AS place, ${t}.* FROM ${table} ${t} WHERE ${reach} ${order} LIMIT ${rows}) ${t} ${joined} WHERE ${filter} ${order}`,
      "$1",
    );
  // The planner may take an unknown range of `seq` for a small one and scan it; the expression hides the column.
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
    walk: among(WINDOW, selected, `${joins} ${columnJoins}`),
    wide: among(WIDE_WINDOW, selected, `${joins} ${columnJoins}`),
    gather: `WITH matches AS MATERIALIZED (${matches}),
      page AS MATERIALIZED (${firstRows(`SELECT seq FROM matches ${t} ${order}`, "$1")})
      ${selected} FROM ${shown}`,
  };
}

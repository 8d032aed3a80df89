import { type Point, page } from "#lib/kernel/cursor.ts";
import { MAX_LIMIT } from "#lib/kernel/fields.ts";
import { batched } from "./batch.ts";
import { bigint, type Columns, integer, type RowOf, select } from "./columns.ts";
import { type Statement, statement } from "./statement.ts";

// Every list of the service is one declaration here. What must stay true: a page has exactly the newest (or oldest) rows that pass every
// filter, whatever the filters and positions are; each query follows an index, so that it costs the same among a thousand rows and a
// million; and a common or rare word never makes it read the whole table. `list.itest.ts` compares generated questions with plain queries,
// `plans.itest.ts` reads the plans.

/** A list that is read in an order that an index serves, `seq` if nothing else is said. The texts are SQL. */
type List<C extends Columns, Filter extends string> = {
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
  /**
   * Many ask for it at once, each for another part, so those who wait together send one statement. Only in the order of `seq`, and its
   * indexed filters are texts.
   */
  isBatched?: true;
};

/** What orders a list. */
type Order = {
  /** Columns of the table that are unique together. */
  columns: readonly string[];
  /** The values of these columns at the position that a placeholder stands for, as SQL. */
  at: (placeholder: string) => string;
};

const BY_SEQ: Order = { columns: ["seq"], at: (placeholder) => placeholder };

/** By age; a position is the ID of the row there. */
export function byAge(table: string): Order & { cursor: (row: { id: string }) => string } {
  return {
    cursor: ({ id }) => id,
    columns: ["created_at", "id"],
    at: (placeholder) => `(SELECT c.created_at, c.id FROM ${table} c WHERE c.id = ${placeholder})`,
  };
}

/** Newest first, below `before`; with `after`, oldest first, above it (and below `before`, if that is given too). */
export type Reach = { before?: number | string | undefined; after?: number | string | undefined; limit: number };

/** A direction, and bounds in it. Only those that are given: the planner takes any two bounds for a small range. */
type Direction = { ascending: boolean; bounds: readonly ("<" | ">")[] };
const NEWEST: Direction = { ascending: false, bounds: ["<"] };
const OLDEST: Direction = { ascending: true, bounds: [">"] };
const BETWEEN: Direction = { ascending: true, bounds: [">", "<"] };

/** What a probe counted: matches among the newest rows, and candidates in the whole table. */
const PROBED = { near: integer, candidates: integer };
type Probe = RowOf<typeof PROBED>;

/** A filter that is on or off, as the condition of a list: its value is always true, because a filter applies when its value is given. */
export const given = (condition: string) => (placeholder: string) => `${condition} AND ${placeholder}::boolean`;

/** Above every `seq`. */
export const END = "9223372036854775807";

/** Rows that a probe looks at, the matches among them with which a word may still be rare, and the candidates that it then counts. */
const PROBED_ROWS = 100;
const SPARSE = 2;
const FEW = 300;
/** Rows that a scan looks at, and that it looks at if what it found so far promises a full page. */
const WINDOW = 1_000;
const WIDE_WINDOW = 10 * WINDOW;

/**
 * Reads the rows within reach that pass every filter that has a value: one row more than `limit`, so that the caller sees whether
 * there are more.
 */
export function list<const C extends Columns, Filter extends string>(definition: List<C, Filter>) {
  const columns = { seq: bigint.from(`${definition.alias}.seq`), ...definition.columns };
  const read = reader<RowOf<C> & { seq: string }, Filter>({ ...definition, columns }, BY_SEQ, [
    NEWEST,
    OLDEST,
    BETWEEN,
  ]);
  return ({ before, after, limit }: Reach, wanted: Partial<Record<Filter, unknown>>) => {
    if (after === undefined) return read(NEWEST, limit, [before ?? END], wanted);
    return before === undefined ? read(OLDEST, limit, [after], wanted) : read(BETWEEN, limit, [after, before], wanted);
  };
}

/**
 * A list in another order, in pages from its beginning or from a cursor on.
 * @param by `cursor` is what the cursor to the next page is of a page's last row
 */
export function listBy<const C extends Columns, Filter extends string>(
  definition: List<C, Filter>,
  { ascending, cursor: cursorOf, ...order }: Order & { ascending: boolean; cursor: (row: RowOf<C>) => string },
) {
  const first: Direction = { ascending, bounds: [] };
  const later: Direction = { ascending, bounds: [ascending ? ">" : "<"] };
  const read = reader<RowOf<C>, Filter>(definition, order, [first, later]);
  return async ({ cursor, limit }: Point, wanted: Partial<Record<Filter, unknown>>) => {
    const found = await (cursor === undefined ? read(first, limit, [], wanted) : read(later, limit, [cursor], wanted));
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return { rows, nextCursor: found.length > limit && last ? cursorOf(last) : null };
  };
}

function reader<Row, Filter extends string>(
  definition: List<Columns, Filter>,
  order: Order,
  directions: readonly Direction[],
) {
  const { columns } = definition;
  const names = Object.keys(definition.filters) as Filter[];
  type Reads = {
    probe?: Statement<Row & Probe>;
    scan: Statement<Row>;
    further?: { wide: Statement<Row>; gather: Statement<Row> };
  };
  const made = new Map<string, Reads>();

  function reads(direction: Direction, used: Filter[]) {
    const variant = [direction.ascending, ...direction.bounds, ...used].join(" ");
    let found = made.get(variant);
    if (!found) {
      // Many filters would make a name too long.
      const name = `${definition.name}_${made.size}`;
      const { probe, scan, wide, gather } = queries(definition, order, direction, used);
      const declare = <R>(suffix: string, text: string, more: Columns = {}) =>
        statement(`${name}${suffix}`, { ...more, ...columns }, text) as Statement<R>;
      const each = [...direction.bounds.map(() => "bigint"), ...used.map(() => "text"), "integer"];
      // A filtered scan may look at a thousand rows: no other caller should have to wait for it.
      const isShort = definition.isBatched && !probe && !wide;
      found = { scan: isShort ? (batched(name, columns, each, scan) as Statement<Row>) : declare("", scan) };
      if (probe) found.probe = declare("_probe", probe, PROBED);
      if (wide && gather) found.further = { wide: declare("_wide", wide), gather: declare("_all", gather) };
      made.set(variant, found);
    }
    return found;
  }
  // Declared at once, so that the test of all statements sees every column and every filter.
  for (const direction of directions) reads(direction, []);
  const [usual] = directions;
  for (const name of names) if (usual) reads(usual, [name]);

  return async (
    direction: Direction,
    limit: number,
    positions: unknown[],
    wanted: Partial<Record<Filter, unknown>>,
  ) => {
    const used = names.filter((name) => wanted[name] !== undefined);
    const { probe, scan, further } = reads(direction, used);
    const values = [...positions, ...used.map((name) => wanted[name]), limit + 1];
    const seen = await probe?.(...values);
    if (seen && isWhole(seen, limit)) return seen as Row[];
    const promising = seen?.[0] !== undefined && seen[0].near > 0;
    let rows = promising ? [] : await scan(...values);
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

/** Whether this is the whole page: the newest rows fill it, or there are few candidates, all of which were seen. */
function isWhole([first]: Probe[], limit: number): boolean {
  return !first || first.near > limit || (first.near <= SPARSE && first.candidates < FEW);
}

/*
 * With `ORDER BY seq LIMIT n`, the planner scans the index until it has n matches, which takes very long if they are rare.
 * Collecting all matches and sorting them takes very long if they are common. So the scan ends after a thousand rows, or after ten
 * thousand if the first thousand held enough matches, and all matches are collected only if the page is not full by then. The
 * result is exact for every filter. Most searches are for words that are either common or rare. A probe answers both: it looks at
 * the newest rows and, if hardly any of them matches, at all matches, if there are few.
 */
function queries<Filter extends string>(
  list: List<Columns, Filter>,
  order: Order,
  direction: Direction,
  used: Filter[],
): { probe?: string; scan: string; wide?: string; gather?: string } {
  const { table, alias: t, scope, joins = "", columnJoins = "" } = list;
  const columns = select(list.columns);
  const first = direction.bounds.length + 1;
  const limit = `$${first + used.length}`;
  const conditions = new Map(used.map((name, index) => [name, `(${list.filters[name](`$${first + index}`)})`]));
  const scanned = list.indexed?.find((name) => conditions.has(name));
  const within = scanned ? `${scope} AND ${conditions.get(scanned)}` : scope;
  if (scanned) conditions.delete(scanned);
  const keys = order.columns.map((column) => `${t}.${column}`);
  const key = keys.length === 1 ? `${keys}` : `(${keys.join(", ")})`;
  const bounded = (key: string) =>
    [within, ...direction.bounds.map((bound, index) => `${key} ${bound} ${order.at(`$${index + 1}`)}`)].join(" AND ");
  const reach = bounded(key);
  const sorted = `ORDER BY ${keys.map((column) => `${column} ${direction.ascending ? "ASC" : "DESC"}`).join(", ")}`;
  if (conditions.size === 0) {
    return {
      scan: firstRows(`SELECT ${columns} FROM ${table} ${t} ${joins} ${columnJoins} WHERE ${reach} ${sorted}`, limit),
    };
  }
  const filter = [...conditions.values()].join(" AND ");
  const among = (rows: number, what: string, joined: string) =>
    firstRows(
      `SELECT ${what} FROM (SELECT ${t}.ctid AS place, ${t}.* FROM ${table} ${t} WHERE ${reach} ${sorted} LIMIT ${rows}) ${t} ${joined} WHERE ${filter} ${sorted}`,
      limit,
    );
  // The planner may take an unknown range of `seq` for a small one and scan it; the expression hides the column.
  const matches = `SELECT ${keys} FROM ${table} ${t} ${joins} WHERE ${bounded(order === BY_SEQ ? `${key} + 0` : key)} AND ${filter}`;
  const samePlace = order.columns.map((column) => `${t}.${column} = page.${column}`).join(" AND ");
  const shown = `page JOIN ${table} ${t} ON ${samePlace} ${joins} ${columnJoins} ${sorted}`;
  const searched = !scanned && list.searched && conditions.get(list.searched);
  const others = [reach, ...[...conditions.values()].filter((condition) => condition !== searched)].join(" AND ");
  // Candidates are matches of the search only: other conditions would tempt the planner to join a large index to it. If there are too
  // many of them, the probe has failed: its rows are those near, or any one, so that there is a row to say so. Until the page is
  // chosen, each row is carried as its place in the table, where the same statement finds it again.
  const probe = `WITH near AS MATERIALIZED (${among(PROBED_ROWS, `${t}.place, ${keys}`, "")}),
    candidates AS MATERIALIZED (
      SELECT ctid AS place, ${keys}, ${others} AS fits FROM ${table} ${t}
      WHERE ${searched} AND (SELECT count(*) FROM near) < least(${SPARSE + 1}, ${limit}) LIMIT ${FEW}
    ),
    seen AS MATERIALIZED (
      SELECT (SELECT count(*)::int FROM near) AS near, (SELECT count(*)::int FROM candidates) AS candidates
    ),
    found AS (
      SELECT place, ${order.columns} FROM candidates, seen WHERE fits AND seen.candidates < ${FEW}
      UNION ALL
      SELECT place, ${order.columns} FROM near, seen WHERE seen.near >= least(${SPARSE + 1}, ${limit}) OR seen.candidates = ${FEW}
      UNION ALL
      (SELECT place, ${order.columns} FROM candidates, seen WHERE seen.near = 0 AND seen.candidates = ${FEW} LIMIT 1)
    ),
    page AS MATERIALIZED (${firstRows(`SELECT * FROM found ${t} ${sorted}`, limit)})
    SELECT seen.near, seen.candidates, ${columns}
    FROM seen, page JOIN ${table} ${t} ON ${t}.ctid = page.place ${columnJoins} ${sorted}`;
  return {
    ...(searched ? { probe } : {}),
    scan: among(WINDOW, columns, `${joins} ${columnJoins}`),
    wide: among(WIDE_WINDOW, columns, `${joins} ${columnJoins}`),
    gather: `WITH matches AS MATERIALIZED (${matches}),
      page AS MATERIALIZED (${firstRows(`SELECT * FROM matches ${t} ${sorted}`, limit)})
      SELECT ${columns} FROM ${shown}`,
  };
}

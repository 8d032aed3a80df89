import type { QueryResultRow } from "pg";
import { firstRows } from "./listing.ts";
import { statement } from "./statement.ts";

/** A list that is read newest first, by a keyset on `seq`. Every text is SQL. */
export type NewestFirst<Filter extends string> = {
  /** Unique in the process. */
  name: string;
  table: string;
  /** What the other texts call the table. */
  alias: string;
  /** What is in the list at all: the condition of the partial index on `seq` that serves it. */
  scope: string;
  /** Joins that filters or the scope need; they must not multiply rows. */
  joins?: string;
  /** Joins that only the columns need. */
  columnJoins?: string;
  columns: string;
  /** Conditions, each given the placeholder of its value. */
  filters: Record<Filter, (placeholder: string) => string>;
  /** Filters that have an index on their column and `seq`. */
  indexed?: readonly Filter[];
};

export type Page = { cursor?: string | undefined; limit: number };

const END = "9223372036854775807";
const WINDOW = 1_000;

/**
 * Reads one page: the newest rows below `cursor` that pass every filter that has a value. It reads one row more than `limit`,
 * as `page` wants it.
 */
export function newestFirst<Row extends QueryResultRow, Filter extends string>(list: NewestFirst<Filter>) {
  type Found = Row & { seq: string };
  const names = Object.keys(list.filters) as Filter[];
  return async ({ cursor, limit }: Page, wanted: Partial<Record<Filter, unknown>>): Promise<Found[]> => {
    const used = names.filter((name) => wanted[name] !== undefined);
    const values = [cursor ?? END, limit + 1, ...used.map((name) => wanted[name])];
    const { walk, gather } = queries(list, used);
    const name = [list.name, ...used].join("_");
    const newest = await statement<Found>(name, walk)(...values);
    if (gather === undefined || newest.length > limit) return newest;
    return statement<Found>(`${name}_all`, gather)(...values);
  };
}

/*
 * With `ORDER BY seq LIMIT n` alone, the planner walks the index until it has n matches: ruinous when they are rare. All
 * matches first, and the newest of them then, is ruinous when they are common. So the walk ends after a thousand rows, and
 * all matches are gathered only if the page is not full by then. The answer is exact for every filter.
 */
function queries<Filter extends string>(list: NewestFirst<Filter>, used: Filter[]): { walk: string; gather?: string } {
  const { table, alias: t, scope, joins = "", columnJoins = "", columns } = list;
  const conditions = new Map(used.map((name, index) => [name, `(${list.filters[name](`$${index + 3}`)})`]));
  let reach = `${scope} AND ${t}.seq < $1`;
  const walked = list.indexed?.find((name) => conditions.has(name));
  if (walked) {
    reach += ` AND ${conditions.get(walked)}`;
    conditions.delete(walked);
  }
  const select = `SELECT ${t}.seq, ${columns}`;
  const newest = `ORDER BY ${t}.seq DESC`;
  if (conditions.size === 0) {
    return { walk: firstRows(`${select} FROM ${table} ${t} ${joins} ${columnJoins} WHERE ${reach} ${newest}`, "$2") };
  }
  const filter = [...conditions.values()].join(" AND ");
  return {
    walk: firstRows(
      `${select} FROM (SELECT ${t}.* FROM ${table} ${t} WHERE ${reach} ${newest} LIMIT ${WINDOW}) ${t} ${joins} ${columnJoins}
       WHERE ${filter} ${newest}`,
      "$2",
    ),
    gather: `WITH matches AS MATERIALIZED (SELECT ${t}.seq FROM ${table} ${t} ${joins} WHERE ${reach} AND ${filter}),
      page AS MATERIALIZED (${firstRows("SELECT seq FROM matches ORDER BY seq DESC", "$2")})
      ${select} FROM page JOIN ${table} ${t} ON ${t}.seq = page.seq ${joins} ${columnJoins} ORDER BY ${t}.seq DESC`,
  };
}

/** A search as people type it, for columns whose words were taken in as English or as they stand. Worked out once per query. */
export function searchQuery(placeholder: string): string {
  return `(SELECT websearch_to_tsquery('english', ${placeholder}) || websearch_to_tsquery('simple', ${placeholder}))`;
}

import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { given, listBy } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { HostsQuery } from "../schema.ts";

/** A host, the decisions about it, and how many identities it has. */
const HOST = {
  host: db.text.from("wanted.host"),
  heldAt: db.nullable(db.timestamp).from("h.held_at"),
  risk: db.nullable(db.risk).from("h.risk"),
  riskSource: db.nullable(db.riskSource).from("h.risk_source"),
  updatedAt: db.nullable(db.timestamp).from("h.updated_at"),
  identities: db.integer.from("counted.identities"),
  suspended: db.integer.from("counted.suspended"),
};
export type HostFacts = db.RowOf<typeof HOST>;

const COUNTS = `CROSS JOIN LATERAL (
    SELECT count(*)::int AS identities, (count(*) FILTER (WHERE i.state = 'suspended'))::int AS suspended
    FROM identities i WHERE i.host = wanted.host
  ) counted`;
const COLUMNS = db.select(HOST);

const hosts = listBy(
  {
    name: "admin_hosts",
    table: "hosts",
    alias: "h",
    scope: "true",
    columnJoins: `CROSS JOIN LATERAL (SELECT h.host) wanted ${COUNTS}`,
    columns: HOST,
    filters: {
      q: (placeholder) => `position(lower(${placeholder}) IN h.host) > 0`,
      held: given("h.held_at IS NOT NULL"),
    },
  },
  { columns: ["host"], at: (placeholder) => placeholder, ascending: true, cursor: ({ host }) => host },
);

/** The hosts with a decision, in order of their names. */
export const listHosts = ({ q, held, ...point }: z.output<typeof HostsQuery>) =>
  hosts(point, { q, held: held && true });

const one = statement(
  "admin_host",
  HOST,
  `SELECT ${COLUMNS} FROM (SELECT $1::text AS host) wanted LEFT JOIN hosts h ON h.host = wanted.host ${COUNTS}`,
);

/** One host, whether or not there is a decision about it. */
export async function readHost(host: string): Promise<HostFacts> {
  const [row] = await one(host);
  if (!row) throw new Error("The query for one host returned no row.");
  return row;
}

import type { z } from "zod";
import { listing } from "#lib/db/listing.ts";
import { statement } from "#lib/db/statement.ts";
import type { HostsQuery, Risk } from "../schema.ts";

/** A host, the decisions about it, and how many identities it has. */
export type HostFacts = {
  host: string;
  heldAt: Date | null;
  risk: Risk | null;
  riskSource: "administrator" | "suspension" | null;
  updatedAt: Date | null;
  identities: number;
  suspended: number;
};

const COUNTS = `CROSS JOIN LATERAL (
    SELECT count(*)::int AS identities, (count(*) FILTER (WHERE i.state = 'suspended'))::int AS suspended
    FROM identities i WHERE i.host = wanted.host
  ) counted`;
const COLUMNS = `wanted.host, h.held_at AS "heldAt", h.risk, h.risk_source AS "riskSource", h.updated_at AS "updatedAt",
  counted.identities, counted.suspended`;

const hosts = listing<HostFacts>("admin_hosts");

/** The hosts with a decision, in order of their names. */
export async function listHosts({ q, held, cursor, limit }: z.output<typeof HostsQuery>) {
  const found = await hosts(
    held ? "held" : "all",
    () => `SELECT ${COLUMNS} FROM (
        SELECT * FROM hosts WHERE ($2::text IS NULL OR position(lower($2) IN host) > 0) AND ($3::text IS NULL OR host > $3)
          ${held ? "AND held_at IS NOT NULL" : ""} ORDER BY host LIMIT $1
      ) h CROSS JOIN LATERAL (SELECT h.host) wanted ${COUNTS} ORDER BY h.host`,
    [limit + 1, q ?? null, cursor ?? null],
  );
  const shown = found.slice(0, limit);
  return { hosts: shown, nextCursor: found.length > limit ? (shown.at(-1)?.host ?? null) : null };
}

const one = statement<HostFacts>(
  "admin_host",
  `SELECT ${COLUMNS} FROM (SELECT $1::text AS host) wanted LEFT JOIN hosts h ON h.host = wanted.host ${COUNTS}`,
);

/** One host, whether or not there is a decision about it. */
export async function readHost(host: string): Promise<HostFacts> {
  const [row] = await one(host);
  if (!row) throw new Error("The query for one host returned no row.");
  return row;
}

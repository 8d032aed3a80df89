import { select } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { AGENT_LIST } from "#lib/identity/directory/directory.ts";
import { LISTED } from "#lib/identity/row.ts";
import { NUMBERED, PROFILE_JOINS } from "../profiles.ts";
import { PRESENT } from "../row.ts";

/** Names that are looked at for each of the two beginnings: whatever is typed, at most this many index entries are read. */
const CANDIDATES = 50;

/** The condition on a profile that is shown by its name. */
export const CLAIMED = "p.claimed_at IS NOT NULL AND p.suspended_at IS NULL";

export const wholeName = (alias: string) => `lower(${alias}.name) COLLATE "C"`;
const SECOND_WORD = (alias: string) => `lower(substr(${alias}.name, strpos(${alias}.name, ' ') + 1)) COLLATE "C"`;

/**
 * The IDs of rows whose name begins with `$1`, then of those whose second word does, in the order of their indexes. The bounds are
 * compared as bytes, and no pattern is matched, so that a generic plan uses the index too.
 */
function candidates(table: string, alias: string, scope: string): string {
  const among = (key: string, word: number, further = "") =>
    `(SELECT ${alias}.id, ${word} AS word FROM ${table} ${alias}
      WHERE ${scope}${further} AND ${key} >= lower($1) COLLATE "C" AND ${key} < (lower($1) || chr(1114111)) COLLATE "C"
      ORDER BY ${key}, ${alias}.id LIMIT ${CANDIDATES})`;
  const second = among(SECOND_WORD(alias), 1, ` AND strpos(${alias}.name, ' ') > 0`);
  return `named AS MATERIALIZED (
    SELECT id, min(word) AS word FROM (${among(wholeName(alias), 0)} UNION ALL ${second}) each GROUP BY id
  )`;
}

/** Claimed profiles by the beginning of their name (`$1`), those whose whole name begins so first; at most `$2`. */
export const profilesNamed = statement(
  "community_profiles_named",
  NUMBERED,
  `WITH ${candidates("profiles", "p", CLAIMED)}
   SELECT ${select(NUMBERED)} FROM named JOIN profiles p ON p.id = named.id ${PROFILE_JOINS}
   ORDER BY named.word, ${wholeName("p")}, p.id LIMIT $2`,
);

const { table, alias, joins, columnJoins, columns } = AGENT_LIST;

/** The same for listed services that have no profile. */
export const servicesNamed = statement(
  "community_services_named",
  columns,
  `WITH ${candidates(table, alias, LISTED)}
   SELECT ${select(columns)} FROM named JOIN ${table} ${alias} ON ${alias}.id = named.id ${joins} ${columnJoins}
   WHERE NOT EXISTS (SELECT FROM profiles p WHERE p.id = named.id AND ${PRESENT})
   ORDER BY named.word, ${wholeName(alias)}, ${alias}.id LIMIT $2`,
);

import * as db from "#lib/db/columns.ts";
import { newestFirst } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { Point } from "#lib/kernel/cursor.ts";
import { AGENT_LIST } from "./directory.ts";
import { LISTED, LISTED_AGENT, type ListedAgentRow } from "./row.ts";

// The directory as registries of agents read it.

/** Conditions of a reader. A list matches if any of its values does. */
export type CatalogueFilter = { skills?: string[]; hosts?: string[]; a2a?: boolean };

/** Whether these labels declare the protocol A2A. `IS_A2A` says the same. */
export function declaresA2a(protocols: readonly string[]): boolean {
  return protocols.some((label) => label.toLowerCase() === "a2a");
}

const IS_A2A = "EXISTS (SELECT FROM unnest(i.protocols) label WHERE lower(label) = 'a2a')";

const readListed = newestFirst({
  ...AGENT_LIST,
  name: "identity_catalogue",
  scope: LISTED,
  filters: {
    skills: (placeholder) => `i.skills && ${placeholder}::text[]`,
    hosts: (placeholder) => `i.host = ANY(${placeholder}::text[])`,
    a2a: (placeholder) => `(${IS_A2A}) = ${placeholder}::boolean`,
  },
});

/** Public identities with a proved domain that fit the filter, newest first. */
export function listCatalogue(point: Point, { skills, hosts, a2a }: CatalogueFilter) {
  return readListed(point, { skills, hosts, a2a });
}

const oneListed = statement(
  "identity_catalogue_entry",
  LISTED_AGENT,
  `SELECT ${db.select(LISTED_AGENT)} FROM identities i ${AGENT_LIST.joins} ${AGENT_LIST.columnJoins} WHERE i.id = $1 AND ${LISTED}`,
);

/** One of them; undefined if there is none with this ID. */
export async function findInCatalogue(publicId: string): Promise<ListedAgentRow | undefined> {
  const [row] = await oneListed(publicId);
  return row;
}

/** At most this many matches are ranked, so that a common word costs no more than a rare one. */
export const MOST_RANKED = 1_000;

const RANKED = {
  ...LISTED_AGENT,
  words: db.integer.from("ranked.words"),
  matched: db.integer.from("ranked.matched"),
};

// `plainto_tsquery` joins the words by AND, and none of them contains a space.
const searchRanked = statement(
  "identity_catalogue_search",
  RANKED,
  `WITH asked AS MATERIALIZED (
     SELECT replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery AS query,
       tsvector_to_array(to_tsvector('english', $1)) AS words
   ), hits AS MATERIALIZED (
     SELECT i.id, i.seq, i.search FROM identities i
     WHERE i.search @@ (SELECT query FROM asked) AND ${LISTED}
       AND ($2::text[] IS NULL OR i.skills && $2) AND ($3::text[] IS NULL OR i.host = ANY($3))
       AND ($4::boolean IS NULL OR (${IS_A2A}) = $4)
     LIMIT ${MOST_RANKED}
   ), ranked AS MATERIALIZED (
     SELECT h.id, h.seq, cardinality(asked.words) AS words, ts_rank(h.search, asked.query) AS rank,
       (SELECT count(*)::int FROM unnest(tsvector_to_array(h.search)) lexeme WHERE lexeme = ANY(asked.words)) AS matched
     FROM hits h, asked ORDER BY matched DESC, rank DESC, h.seq DESC LIMIT $5 OFFSET $6
   )
   SELECT ${db.select(RANKED)} FROM ranked JOIN identities i ON i.id = ranked.id ${AGENT_LIST.joins} ${AGENT_LIST.columnJoins}
   ORDER BY ranked.matched DESC, ranked.rank DESC, ranked.seq DESC`,
);

/**
 * Those with any word of `text` in their name, description, host or skills, those with the most words first.
 * @returns each with the part of the words that it has, in per cent
 */
export async function searchCatalogue(
  text: string,
  { skills, hosts, a2a }: CatalogueFilter,
  page: { limit: number; offset: number },
): Promise<(ListedAgentRow & { score: number })[]> {
  const rows = await searchRanked(text, skills ?? null, hosts ?? null, a2a ?? null, page.limit, page.offset);
  return rows.map(({ words, matched, ...row }) => ({
    ...row,
    score: Math.min(100, Math.round((100 * matched) / words)),
  }));
}

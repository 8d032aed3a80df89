import * as db from "#lib/db/columns.ts";
import { newestFirst } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { Point } from "#lib/kernel/cursor.ts";
import { LISTED, LISTED_AGENT, type ListedAgentRow } from "../row.ts";
import { AGENT_LIST } from "./directory.ts";

// The directory as registries of agents read it.

/** Conditions of a reader. A list matches if any of its values does. */
export type CatalogueFilter = { skills?: string[]; hosts?: string[]; a2a?: boolean };

/** The labels that declare the protocol A2A. */
const A2A = ["a2a", "A2A"];

export function declaresA2a(protocols: readonly string[]): boolean {
  return protocols.some((label) => A2A.includes(label));
}

const IS_A2A = `i.protocols && ARRAY['${A2A.join("', '")}']`;

const readListed = newestFirst({
  ...AGENT_LIST,
  name: "identity_catalogue",
  scope: LISTED,
  filters: {
    skills: (placeholder) => `i.skills && ${placeholder}::text[]`,
    hosts: (placeholder) => `i.host = ANY(${placeholder}::text[])`,
    protocols: (placeholder) => `i.protocols && ${placeholder}::text[]`,
    otherProtocols: (placeholder) => `NOT i.protocols && ${placeholder}::text[]`,
  },
});

/** Public identities with a proved domain that fit the filter, newest first. */
export function listCatalogue(point: Point, { skills, hosts, a2a }: CatalogueFilter) {
  const protocols = a2a === true ? A2A : undefined;
  const otherProtocols = a2a === false ? A2A : undefined;
  return readListed(point, { skills, hosts, protocols, otherProtocols });
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
export const MOST_RANKED = 500;

const RANKED = {
  ...LISTED_AGENT,
  words: db.integer.from("ranked.words"),
  matched: db.integer.from("ranked.matched"),
};

/** Further words of a search are ignored. */
const MOST_WORDS = 20;

// A word becomes a query of its own as a quoted lexeme.
const searchRanked = statement(
  "identity_catalogue_search",
  RANKED,
  `WITH asked AS MATERIALIZED (
     SELECT string_agg(word, ' | ')::tsquery AS query, array_agg(word::tsquery) AS words FROM (
       SELECT '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' AS word
       FROM unnest(tsvector_to_array(to_tsvector('english', $1))) lexeme LIMIT ${MOST_WORDS}
     ) quoted
   ), hits AS MATERIALIZED (
     SELECT i.id, i.seq, i.search FROM identities i
     WHERE i.search @@ (SELECT query FROM asked) AND ${LISTED}
       AND ($2::text[] IS NULL OR i.skills && $2) AND ($3::text[] IS NULL OR i.host = ANY($3))
       AND ($4::boolean IS NULL OR (${IS_A2A}) = $4)
     LIMIT ${MOST_RANKED}
   ), ranked AS MATERIALIZED (
     SELECT h.id, h.seq, cardinality(asked.words) AS words, ts_rank(h.search, asked.query) AS rank,
       (SELECT count(*)::int FROM unnest(asked.words) word WHERE h.search @@ word) AS matched
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

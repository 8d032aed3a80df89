import type pg from "pg";

/** What loads need to know of a community. */
export type Community = {
  lastSeq: number;
  /** Those who wrote the most. */
  authors: string[];
  /** As often as they have posts: long ones come up more often. */
  threads: string[];
  /** Words that stand in one of many thousand posts. */
  rareWords: string[];
  commonWords: string[];
};

const SAMPLED = 20_000;

/** The part of a table that gives some tens of thousands of rows. */
export function samplePercent(rows: number): number {
  return Math.min(100, 5_000_000 / Math.max(1, rows));
}

export async function describeCommunity(client: pg.Client, posts: number): Promise<Community> {
  const list = async (sql: string, values: unknown[] = []) =>
    (await client.query<{ value: string }>(sql, values)).rows.map(({ value }) => value);
  const [lastSeq] = await list("SELECT max(seq)::text AS value FROM posts");
  const words = `ts_stat('SELECT search FROM posts ORDER BY seq DESC LIMIT ${SAMPLED}')`;
  return {
    lastSeq: Number(lastSeq ?? 0),
    authors: await list(
      "SELECT id AS value FROM profiles WHERE post_count > 0 ORDER BY post_count DESC, id LIMIT 1000",
    ),
    threads: await list(
      `SELECT value FROM (SELECT thread_id AS value FROM posts TABLESAMPLE SYSTEM (${samplePercent(posts)})) t ORDER BY random() LIMIT 5000`,
    ),
    rareWords: await list(
      `SELECT word AS value FROM ${words} WHERE ndoc = 1 AND word ~ '^[a-z]+$' ORDER BY md5(word) LIMIT 500`,
    ),
    commonWords: await list(`SELECT word AS value FROM ${words} WHERE word ~ '^[a-z]+$' ORDER BY ndoc DESC LIMIT 10`),
  };
}

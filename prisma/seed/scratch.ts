import pg from "pg";
import { CONDITIONS, DELIVERIES, NAME_WORDS, PLACES, PROTOCOLS, TRADES } from "./vocabulary.ts";

/** Synthetic identities are known by their host names, under a top-level domain that nobody can have. */
export const SYNTHETIC_HOST = "^agent-[0-9]+\\.example$";

// Sixteen characters of base58 stand for the hexadecimal digits of a hash: 88 bits of chance in 22 characters.
const FUNCTIONS = `
  CREATE FUNCTION pg_temp.seed_id(prefix text, salt text, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT prefix || '_' || left(translate(md5(salt || prefix || n), '0123456789abcdef', '2aB5dE8gH9kMqRtZ'), 22) $$;
  CREATE FUNCTION pg_temp.pick(words text[], r double precision) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT words[1 + floor(r * cardinality(words))::int] $$;`;

/** A connection with the vocabulary in temporary tables and what statements need to draw from it. */
export async function openScratch(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "guildhall seed" });
  await client.connect();
  await client.query(FUNCTIONS);
  await client.query(
    "CREATE TEMP TABLE seed_trades (k int PRIMARY KEY, skill text UNIQUE, noun text, asks text[], things text[])",
  );
  for (const [k, { skill, noun, asks, things }] of TRADES.entries()) {
    await client.query("INSERT INTO seed_trades VALUES ($1, $2, $3, $4, $5)", [k, skill, noun, asks, things]);
  }
  await client.query(
    `CREATE TEMP TABLE seed_words AS SELECT $1::text[] AS names, $2::text[] AS places,
    $3::text[] AS conditions, $4::text[] AS deliveries, $5::text[] AS protocols, $6::int[] AS trades`,
    [
      ...[NAME_WORDS, PLACES, CONDITIONS, DELIVERIES, PROTOCOLS],
      TRADES.flatMap(({ share }, k) => Array<number>(share).fill(k)),
    ],
  );
  return client;
}

/**
 * Takes `count` successive numbers of a sequence and returns the one before them. Concurrent inserts get later
 * ones: altering the sequence keeps them waiting.
 */
export async function reserve(client: pg.Client, sequence: string, count: number): Promise<number> {
  await client.query("BEGIN");
  await client.query(`ALTER SEQUENCE ${sequence} INCREMENT BY 1`);
  const { rows } = await client.query<{ last: string }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS last FROM ${sequence}`,
  );
  const last = Number(rows[0]?.last);
  if (count > 0) await client.query("SELECT setval($1, $2)", [sequence, last + count]);
  await client.query("COMMIT");
  return last;
}

/** Cuts 1 … `count` into parts that `workers` connections take one after the other. */
export async function inParts(
  clients: pg.Client[],
  count: number,
  size: number,
  work: (client: pg.Client, first: number, last: number) => Promise<void>,
  onProgress: (done: number) => void = () => undefined,
): Promise<void> {
  let next = 1;
  let done = 0;
  const run = async (client: pg.Client) => {
    while (next <= count) {
      const first = next;
      const last = Math.min(count, first + size - 1);
      next = last + 1;
      await work(client, first, last);
      done += last - first + 1;
      onProgress(done);
    }
  };
  await Promise.all(clients.map(run));
}

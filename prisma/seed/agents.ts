import { randomBytes } from "node:crypto";
import type pg from "pg";
import { keysFor } from "#lib/kernel/keys.ts";
import { inParts, reserve, SYNTHETIC_HOST } from "./scratch.ts";

/** The digest stored for a token. Nobody has the token unless the caller computed the digest from one. */
export type DigestOf = (agent: number) => Buffer;

/** In the form of `digestSecret`, but of no secret. */
export const nobodysDigest = () => Buffer.concat([keysFor("credential digest")[0].version, randomBytes(32)]);

// The first ones ("popular") are the providers that tasks are selected for: nothing is wrong with any of them. Of the others, half share
// four hosts, which have a quarter, an eighth and twice a sixteenth of them; each of the rest has a host of its own.
const IDENTITIES = `
  WITH dice AS MATERIALIZED (
    SELECT n::int, digest, random() AS a, random() AS b, random() AS c, random() AS d, random() AS e
    FROM unnest($3::bytea[]) WITH ORDINALITY AS given(digest, place), LATERAL (SELECT $1::bigint + place AS n) numbered
  ), shaped AS (
    SELECT dice.*, w.names, w.protocols, w.trades[1 + floor(a * cardinality(w.trades))::int] AS k,
      CASE WHEN n <= $4 OR b < .86 THEN 'verified' WHEN b < .89 THEN 'grace' WHEN b < .92 THEN 'lapsed' ELSE 'unverified' END AS status,
      n <= $4 AS popular, 'agent-' || lpad((CASE WHEN n <= $4 OR n % 2 = 1 THEN n WHEN n % 4 = 0 THEN 4 WHEN n % 8 = 2 THEN 2 ELSE n % 16 END)::text,
        6, '0') || '.example' AS host,
      now() - interval '200 days' + (n::float8 / $5) * interval '170 days' AS created
    FROM dice, seed_words w
  )
  INSERT INTO identities (id, seq, token_digest, name, description, endpoint, host, skills, protocols, public_profile, created_at, updated_at,
    verification_token, domain_status, verified_at, domain_checked_at, domain_failures, domain_failure, state, risk, held_at)
  SELECT pg_temp.seed_id('agt', $6, n), $2::bigint + n - $7, digest, pg_temp.pick(names, c) || ' ' || t.noun || ' ' || n,
    t.asks[1] || ' and more: ' || array_to_string(t.things, ', ') || '. A synthetic agent, made up for trials and load runs.',
    'https://' || host || '/tasks', host,
    CASE WHEN d < .5 THEN ARRAY[t.skill] WHEN d < .8 THEN ARRAY[t.skill, t2.skill] ELSE ARRAY[t.skill, t2.skill, t3.skill] END,
    CASE WHEN e < .4 THEN '{}' ELSE ARRAY[pg_temp.pick(protocols, e)] END, popular OR e < .97, created, created,
    'ghv_' || rtrim(translate(encode(sha256(digest), 'base64'), '+/', '-_'), '='), status::domain_status,
    CASE WHEN status <> 'unverified' THEN created + interval '10 minutes' END,
    CASE WHEN status <> 'unverified' THEN now() - d * interval '1 day' END,
    CASE status WHEN 'grace' THEN 1 WHEN 'lapsed' THEN 3 ELSE 0 END,
    CASE WHEN status IN ('grace', 'lapsed') THEN 'timeout' END,
    (CASE WHEN NOT popular AND c < .005 THEN 'suspended' ELSE 'active' END)::identity_state,
    (CASE WHEN popular OR e < .9 THEN 'normal' WHEN e < .98 THEN 'low' ELSE 'high' END)::risk,
    CASE WHEN NOT popular AND d > .995 THEN now() - interval '1 day' END
  FROM shaped
    JOIN seed_trades t ON t.k = shaped.k
    JOIN seed_trades t2 ON t2.k = (shaped.k + 7) % (SELECT count(*) FROM seed_trades)
    JOIN seed_trades t3 ON t3.k = (shaped.k + 13) % (SELECT count(*) FROM seed_trades)
  ORDER BY n`;

// Four out of five report; most of those did so within the last 15 minutes, evenly spread.
const HEALTH = `
  INSERT INTO health_reports (identity_id, status, reported_at)
  SELECT id, (CASE WHEN a < .75 THEN 'available' WHEN a < .87 THEN 'busy' WHEN a < .92 THEN 'maintenance' ELSE 'offline' END)::health_status,
    now() - b * CASE WHEN c < .85 THEN interval '15 minutes' ELSE interval '3 days' END
  FROM (SELECT id, random() AS a, random() AS b, random() AS c, random() AS d FROM identities
    WHERE seq BETWEEN $1 AND $2 AND domain_status <> 'unverified' OFFSET 0) dice
  WHERE d < .8`;

/** Makes `count` identities with health reports. `popular`: how many of the first providers are without a blemish. */
export async function plantAgents(
  clients: pg.Client[],
  salt: string,
  { count, popular, digestOf = nobodysDigest }: { count: number; popular: number; digestOf?: DigestOf | undefined },
  onProgress: (done: number) => void,
): Promise<void> {
  const [client] = clients;
  if (!client || count === 0) return;
  const { rows } = await client.query<{ known: number }>(
    "SELECT count(*)::int AS known FROM identities WHERE host ~ $1",
    [SYNTHETIC_HOST],
  );
  const known = rows[0]?.known ?? 0;
  const lastSeq = await reserve(client, "identities_seq_seq", count);
  const work = async (each: pg.Client, first: number, last: number) => {
    const digests = Array.from({ length: last - first + 1 }, (_, index) => digestOf(known + first + index));
    await each.query(IDENTITIES, [known + first - 1, lastSeq, digests, popular, known + count, salt, known]);
    await each.query(HEALTH, [lastSeq + first, lastSeq + last]);
  };
  await inParts(clients, count, 5_000, work, onProgress);
}

const OFFERS = `
  WITH dice AS MATERIALIZED (
    SELECT j, (j - 1) % (SELECT count(*) FROM seed_agents) + 1 AS n, (j - 1) / (SELECT count(*) FROM seed_agents) AS turn,
      random() AS a, random() AS b, random() AS c
    FROM generate_series($1::bigint, $2::bigint) j
  )
  INSERT INTO offers (id, seq, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
  SELECT pg_temp.seed_id('ofr', $4, j), $3::bigint + j, g.id, t.skill, pg_temp.pick(t.asks, b) || ' ' || pg_temp.pick(t.things, a) || '.',
    'Plain text or a link to it, in English, with what matters most.', pg_temp.pick(w.deliveries, c),
    'At most ' || 10 * (1 + floor(a * 90)::int) || ' pages, back within ' || 1 + floor(b * 48)::int || ' hours.',
    CASE WHEN b < .03 THEN 0 ELSE 25 * (1 + floor(a * a * 800)::int) + floor(c * 25)::int END, b < .92, g.created_at + c * interval '20 days',
    g.created_at + c * interval '20 days'
  FROM dice JOIN seed_agents g USING (n) JOIN seed_trades t ON t.skill = g.skills[1 + turn % cardinality(g.skills)], seed_words w
  ORDER BY j`;

/** Makes `count` offers, each for a skill that its identity has. */
export async function plantOffers(
  clients: pg.Client[],
  salt: string,
  count: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const [client] = clients;
  if (!client || count === 0) return;
  const lastSeq = await reserve(client, "offers_seq_seq", count);
  const work = async (each: pg.Client, first: number, last: number) => {
    await each.query(OFFERS, [first, last, lastSeq, salt]);
  };
  await inParts(clients, count, 10_000, work, onProgress);
}

/** Lists the synthetic identities of this database for the statements that draw from them; how many there are. */
export async function listAgents(client: pg.Client): Promise<number> {
  await client.query(
    `CREATE TEMP TABLE seed_agents AS SELECT row_number() OVER (ORDER BY i.seq) AS n, i.id, i.name, i.skills, i.created_at,
       i.domain_status IN ('verified', 'grace') AND i.held_at IS NULL AND i.risk <> 'high' AS provides
     FROM identities i WHERE i.host ~ $1 AND i.state = 'active'`,
    [SYNTHETIC_HOST],
  );
  await client.query("ALTER TABLE seed_agents ADD PRIMARY KEY (n)");
  await client.query(`CREATE TEMP TABLE seed_providers AS SELECT row_number() OVER (ORDER BY a.n) AS k, a.n, a.id, a.name, a.skills, t.k AS trade
     FROM seed_agents a JOIN seed_trades t ON t.skill = a.skills[1] WHERE a.provides`);
  await client.query("ALTER TABLE seed_providers ADD PRIMARY KEY (k)");
  await client.query("ANALYZE seed_agents, seed_providers, seed_trades");
  const { rows } = await client.query<{ count: number }>("SELECT count(*)::int FROM seed_providers");
  return rows[0]?.count ?? 0;
}

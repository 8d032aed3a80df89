import type pg from "pg";
import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import { nobodysDigest } from "./agents.ts";
import { SYNTHETIC_HOST } from "./scratch.ts";

/** Someone who takes part in the synthetic conversation. */
export type Member = { id: string; joinedAt: number };

/** How many profiles each owner has. */
const OWNED = 4;

// Every active synthetic identity joins the community under its own public_id, soon after it registered.
const JOINED = `
  WITH joining AS (
    SELECT i.*, row_number() OVER (ORDER BY i.seq) AS place FROM identities i
    WHERE i.host ~ $1 AND i.state = 'active' AND NOT EXISTS (SELECT FROM profiles p WHERE p.id = i.id)
  )
  INSERT INTO profiles (id, seq, name, bio, framework, country_code, arrival_source, homepage_url, joined_at, claimed_at, key_digest, key_hint,
    key_created_at)
  SELECT id, $2::bigint + place, name, description, CASE WHEN b < .7 THEN pg_temp.pick($5, b / .7) END, CASE WHEN a < .6 THEN pg_temp.pick($4, a / .6) END, 'A synthetic arrival',
    'https://' || host || '/', joined, joined, digest, right(md5(id), 4), joined
  FROM (SELECT joining.*, random() AS a, random() AS b, created_at + random() * interval '5 days' AS joined FROM joining OFFSET 0) dated
    JOIN unnest($3::bytea[]) WITH ORDINALITY AS given(digest, n) ON n = place
  ORDER BY place`;

const OWNERS = `
  INSERT INTO owners (id, email, name, created_at)
  SELECT pg_temp.seed_id('own', $1, n), 'owner-' || lpad(n::text, 6, '0') || '@owners.example', pg_temp.pick(names, random()) || ' ' || n,
    now() - interval '200 days'
  FROM generate_series($2::bigint + 1, $2::bigint + $3) n, seed_words`;

// The others are no services. One in twelve waits for its owner to claim it.
const FREE = `
  INSERT INTO profiles (id, seq, name, bio, framework, country_code, homepage_url, owner_id, joined_at, claimed_at, key_digest, key_hint,
    key_created_at, claim_digest, claim_expires_at)
  SELECT pg_temp.seed_id('agt', $1 || 'member', n), $2::bigint + n - $3, pg_temp.pick(names, a) || ' of ' || pg_temp.pick(places, b) || ' ' || n,
    'Reads along and answers what it can. A synthetic agent, made up for trials and load runs.', pg_temp.pick($6, c),
    CASE WHEN b < .7 THEN pg_temp.pick($7, b / .7) END, 'https://member-' || lpad(n::text, 6, '0') || '.example/',
    CASE WHEN NOT waits THEN pg_temp.seed_id('own', $1, $8::bigint + 1 + (n - $3 - 1) / ${OWNED}) END,
    joined, CASE WHEN NOT waits THEN joined + c * interval '1 day' END, digest, right(md5(n::text), 4), joined, substring(digest FROM 1 FOR 4) || sha256(digest),
    joined + interval '7 days'
  FROM (
    SELECT $3::bigint + place AS n, digest, random() AS a, random() AS b, random() AS c, place % 12 = 7 AS waits,
      now() - CASE WHEN place % 12 = 7 THEN random() * interval '6 days' ELSE interval '190 days' * (1 - place::float8 / $5) + interval '8 days' END AS joined
    FROM unnest($4::bytea[]) WITH ORDINALITY AS given(digest, place) OFFSET 0
  ) dice, seed_words
  ORDER BY n`;

const PULSES = `
  INSERT INTO pulses (profile_id, last_heartbeat_at, key_used_at)
  SELECT id, beat, beat FROM (
    SELECT p.id, now() - b * CASE WHEN c < .5 THEN interval '15 minutes' ELSE interval '9 days' END AS beat, random() AS d
    FROM (SELECT id, random() AS b, random() AS c FROM profiles WHERE seq > $1 AND seq <= $2 AND claimed_at IS NOT NULL OFFSET 0) p
  ) beats WHERE d < .85`;

const COUNTRIES = ["GB", "FR", "DE", "NL", "JP", "BR", "IN", "CA", "SE", "ES", "KE", "NZ"];
const FRAMEWORKS = ["plain-http", "loomwork", "agentry", "stagehand", "pipeline-kit", "home-made"];
const SYNTHETIC_MEMBER = "^https://(agent|member)-[0-9]+\\.example/$";
const JOIN_LOCK = `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.joinNumbers})`;

/** Lets all synthetic identities that have not joined do so, and `others` agents besides that are no services. */
export async function plantMembers(client: pg.Client, salt: string, others: number): Promise<void> {
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await client.query<{ count: string }>(sql, values)).rows[0]?.count);
  const digests = (many: number) => Array.from({ length: many }, nobodysDigest);
  await client.query("BEGIN");
  // Join numbers are taken one after the other, up to the commit: see lib/community/create-profile.ts.
  await client.query(JOIN_LOCK);
  const joining = await count(
    "SELECT count(*) FROM identities i WHERE host ~ $1 AND state = 'active' AND NOT EXISTS (SELECT FROM profiles p WHERE p.id = i.id)",
    [SYNTHETIC_HOST],
  );
  const known = await count("SELECT count(*) FROM profiles WHERE homepage_url ~ '^https://member-[0-9]+\\.example/$'");
  const owners = await count("SELECT count(*) FROM owners WHERE email LIKE 'owner-%@owners.example'");
  const last = await count(
    "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS count FROM profiles_seq_seq",
  );
  await client.query(JOINED, [SYNTHETIC_HOST, last, digests(joining), COUNTRIES, FRAMEWORKS]);
  await client.query(OWNERS, [salt, owners, Math.ceil(others / OWNED)]);
  const free = [salt, last + joining, known, digests(others), others, FRAMEWORKS, COUNTRIES, owners];
  await client.query(FREE, free);
  await client.query(PULSES, [last, last + joining + others]);
  if (joining + others > 0) await client.query("SELECT setval('profiles_seq_seq', $1)", [last + joining + others]);
  await client.query("COMMIT");
}

/** The synthetic members who may speak, in an order of chance that is the order of how much they say. */
export async function listMembers(client: pg.Client): Promise<Member[]> {
  const { rows } = await client.query<Member>(
    `SELECT id, extract(epoch FROM greatest(joined_at, claimed_at))::float8 * 1000 AS "joinedAt" FROM profiles
     WHERE homepage_url ~ $1 AND claimed_at IS NOT NULL AND suspended_at IS NULL ORDER BY md5(id)`,
    [SYNTHETIC_MEMBER],
  );
  return rows;
}

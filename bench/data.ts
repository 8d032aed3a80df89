import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import pg from "pg";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { DATABASE } from "#lib/db/embedded/passwords.ts";
import { createDatabase } from "#lib/db/embedded/roles.ts";
import { type Embedded, openEmbedded } from "#lib/db/embedded.ts";
import { withClient } from "#lib/db/with-client.ts";
import { digestSecret } from "#lib/kernel/secrets.ts";
import { sessionCookie } from "#lib/owners/sessions/cookies.ts";
import { writeSessionToken } from "#lib/owners/sessions/session-token.ts";
import { plantSeed, popularProviders } from "../prisma/seed/plant.ts";
import { plantRows } from "./rows.ts";

/** Keys the digests of the benchmark's own data sets, and nothing else. */
export const BENCH_SECRET = "the data of the benchmark is synthetic and this secret keeps nothing";

export type Sizes = { agents: number; tasks: number; posts: number };
export type Agent = { publicId: string; token: string };

/** A seeded database with what the loads need to know of it. */
export type DataSet = Sizes & {
  dataDir: string;
  url: string;
  /** Active agents, up to as many as the largest fleet has. */
  active: Agent[];
  /** Active and verified agents whose inboxes have about five entries each. */
  providers: Agent[];
  /** Some of them, each with a task about which it has messages. */
  talks: (Agent & { taskId: string })[];
  /** `Cookie` headers of owners with agents in the community, and of one who administers the service. */
  owners: string[];
  administrator: string;
  listedTaskIds: string[];
  /** The most offered first. */
  skills: string[];
  community: Community;
  /** Brings the health reports up to date, as if all agents had kept reporting. */
  refreshHealth(): Promise<void>;
  /** Brings the database's files into the operating system's cache. */
  readThrough(): Promise<void>;
  close(): Promise<void>;
};

type Community = {
  lastSeq: number;
  /** The most frequent first. */
  authors: string[];
  /** Authors that may post, with their keys. */
  members: { id: string; key: string }[];
  /** Posts that begin a thread, newest first. */
  openings: string[];
  /** Each as often as it has posts: long ones come up more often. */
  threads: string[];
  /** Words of one post in many thousands. */
  rareWords: string[];
  commonWords: string[];
};

const MOST_ACTIVE = 50_000;
const WORDS_FROM = 20_000;
const OWNERS = 200;

/** Opens the data set in `dataDir`. It is made again unless `keep` is set and there is one of this size; that is migrated if it has to be. */
export async function openData(dataDir: string, sizes: Sizes, keep: boolean): Promise<DataSet> {
  mkdirSync(dataDir, { recursive: true });
  const database = await openEmbedded({ dir: join(dataDir, "postgres"), log: console.log });
  try {
    if (keep && isCurrent(dataDir, sizes)) {
      await updateDatabase(database.url, database.ownerUrl);
      await readThrough(dataDir);
      // Data that was just made is in the operating system's cache.
    } else await seed(database, dataDir, sizes);
    return await describe(database, dataDir, sizes);
  } catch (error) {
    await database.close();
    throw error;
  }
}

const noteFile = (dataDir: string) => join(dataDir, "seeded.json");

/** What a data set was made from. Digests in an earlier form would be renewed during the measurement. */
const noteOf = (sizes: Sizes) => JSON.stringify({ ...sizes, digests: digestOf(1).toString("hex") });

function isCurrent(dataDir: string, sizes: Sizes): boolean {
  return existsSync(noteFile(dataDir)) && readFileSync(noteFile(dataDir), "utf8") === noteOf(sizes);
}

async function seed(database: Embedded, dataDir: string, sizes: Sizes): Promise<void> {
  rmSync(noteFile(dataDir), { force: true });
  await withClient(database.superuserUrl(), async (superuser) => {
    await superuser.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    await createDatabase(superuser, DATABASE);
    await updateDatabase(database.url, database.ownerUrl);
    const began = performance.now();
    await plantSeed(database.ownerUrl, { ...sizes, offers: Math.floor(sizes.agents * 1.5), digestOf });
    await plantRows(database.ownerUrl, sizes);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(
      `Seeded ${sizes.tasks} tasks, ${sizes.posts} posts and ${sizes.agents} identities in ${seconds} seconds`,
    );
    // What seeding left to be written to disk must not be written while we measure.
    await superuser.query("CHECKPOINT");
  });
  writeFileSync(noteFile(dataDir), noteOf(sizes));
}

async function readThrough(dataDir: string): Promise<void> {
  for await (const file of glob("postgres/cluster/base/**/*", { cwd: dataDir, withFileTypes: true })) {
    if (!file.isFile()) continue;
    for await (const _ of createReadStream(join(file.parentPath, file.name), { highWaterMark: 2 ** 20 }));
  }
}

/** The part of a table, in percent, that gives some tens of thousands of rows. */
const samplePercent = (rows: number) => Math.min(100, 5_000_000 / Math.max(1, rows));

async function describe(database: Embedded, dataDir: string, sizes: Sizes): Promise<DataSet> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  const { rows: agents } = await client.query<{ id: string; n: number; is_verified: boolean }>(
    `SELECT id, n::int, domain_status = 'verified' AND held_at IS NULL AS is_verified
     FROM (SELECT *, row_number() OVER (ORDER BY seq) AS n FROM identities WHERE host ~ '^agent-') numbered
     WHERE state = 'active' ORDER BY n LIMIT ${MOST_ACTIVE}`,
  );
  const credentials = agents.map(({ id, n }) => ({ publicId: id, token: tokenOf(n) }));
  const popular = popularProviders(sizes.tasks);
  const providers = credentials.filter((_, at) => agents[at]?.is_verified && agents[at].n <= popular);
  const { rows: talks } = await client.query<{ provider: string; taskId: string }>(
    `SELECT DISTINCT ON (selected_provider_id) selected_provider_id AS provider, id AS "taskId"
     FROM tasks WHERE state = 'open' AND selected_provider_id = ANY ($1) ORDER BY selected_provider_id, seq`,
    [providers.slice(0, 5_000).map(({ publicId }) => publicId)],
  );
  const taskOf = new Map(talks.map(({ provider, taskId }) => [provider, taskId]));
  return {
    ...sizes,
    dataDir,
    url: database.url,
    active: credentials,
    providers,
    talks: providers.flatMap((agent) => {
      const taskId = taskOf.get(agent.publicId);
      return taskId ? [{ ...agent, taskId }] : [];
    }),
    listedTaskIds: await list(
      client,
      `SELECT id AS value FROM (SELECT id FROM tasks TABLESAMPLE SYSTEM (${samplePercent(sizes.tasks)}) WHERE visibility = 'listed') t
       ORDER BY random() LIMIT 5000`,
    ),
    skills: await list(
      client,
      "SELECT skill AS value FROM offers WHERE matchable GROUP BY skill ORDER BY count(*) DESC, skill",
    ),
    ...(await describeOwners(client)),
    community: await describeCommunity(client, sizes.posts),
    async refreshHealth() {
      await client.query("UPDATE health_reports SET reported_at = now() - random() * interval '10 minutes'");
      await client.query("VACUUM (ANALYZE) health_reports");
    },
    readThrough: () => readThrough(dataDir),
    async close() {
      await client.end();
      await database.close();
    },
  };
}

async function list(client: pg.Client, sql: string, values: unknown[] = []): Promise<string[]> {
  return (await client.query<{ value: string }>(sql, values)).rows.map(({ value }) => value);
}

/** Opens sessions of some owners. */
async function describeOwners(client: pg.Client): Promise<{ owners: string[]; administrator: string }> {
  await client.query(
    `INSERT INTO owners (id, email, name, role, created_at) VALUES ('own_administratorofbench', 'admin@owners.example', 'Admin', 'administrator', now())
     ON CONFLICT DO NOTHING`,
  );
  const ids = await list(
    client,
    `(SELECT id AS value FROM owners WHERE role = 'owner' ORDER BY id LIMIT ${OWNERS})
     UNION ALL SELECT id FROM owners WHERE email = 'admin@owners.example'`,
  );
  const sids = ids.map((id) => secretOf("sid", `guildhall bench session of ${id}`));
  await client.query(
    `INSERT INTO owner_sessions (id_digest, id, owner_id, created_at, last_used_at, expires_at, confirmed_at)
     SELECT digest, 'ses_' || substr(id, 5), id, now(), now(), now() + interval '1 day', now() FROM unnest($1::text[], $2::bytea[]) AS given (id, digest)
     ON CONFLICT (id) DO UPDATE SET last_used_at = now(), expires_at = excluded.expires_at`,
    [ids, sids.map(digestSecret)],
  );
  const { name } = sessionCookie();
  const owners = await Promise.all(sids.map(async (sid) => `${name}=${await writeSessionToken(sid)}`));
  return { administrator: owners.pop() ?? "", owners };
}

async function describeCommunity(client: pg.Client, posts: number): Promise<Community> {
  const authors = await list(
    client,
    "SELECT id AS value FROM profiles WHERE post_count > 0 ORDER BY post_count DESC, id LIMIT 1000",
  );
  const ids = await list(
    client,
    `SELECT p.id AS value FROM profiles p LEFT JOIN identities i ON i.id = p.id
     WHERE p.id = ANY ($1) AND p.claimed_at IS NOT NULL AND num_nonnulls(p.suspended_at, p.held_at, p.frozen_at, i.held_at) = 0
       AND coalesce(i.state = 'active', true)`,
    [authors],
  );
  const members = ids.map((id) => ({ id, key: secretOf("ghc", `guildhall bench key of ${id}`) }));
  await client.query(
    `UPDATE profiles SET key_digest = given.digest, key_created_at = now()
     FROM unnest($1::text[], $2::bytea[]) AS given (id, digest) WHERE profiles.id = given.id`,
    [ids, members.map(({ key }) => digestSecret(key))],
  );
  const words = `ts_stat('SELECT search FROM posts ORDER BY seq DESC LIMIT ${WORDS_FROM}') WHERE word ~ '^[a-z]+$'`;
  const [lastSeq] = await list(client, "SELECT max(seq)::text AS value FROM posts");
  return {
    lastSeq: Number(lastSeq ?? 0),
    authors,
    members,
    openings: await list(
      client,
      "SELECT id AS value FROM posts WHERE reply_to IS NULL AND withdrawn_at IS NULL ORDER BY seq DESC LIMIT 500",
    ),
    threads: await list(
      client,
      `SELECT value FROM (SELECT thread_id AS value FROM posts TABLESAMPLE SYSTEM (${samplePercent(posts)})) t
       ORDER BY random() LIMIT 5000`,
    ),
    rareWords: await list(client, `SELECT word AS value FROM ${words} AND ndoc = 1 ORDER BY md5(word) LIMIT 500`),
    commonWords: await list(client, `SELECT word AS value FROM ${words} ORDER BY ndoc DESC LIMIT 10`),
  };
}

/** A well-formed secret that is the same in every run. */
function secretOf(prefix: string, seed: string): string {
  const bytes = createHash("sha256").update(seed).digest().subarray(0, 28);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(bytes));
  return `${prefix}_${Buffer.concat([bytes, check]).toString("base64url")}`;
}

/** The management token of synthetic agent number `n`. */
const tokenOf = (n: number) => secretOf("ghm", `guildhall bench agent ${n}`);
const digestOf = (n: number) => digestSecret(tokenOf(n));

import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { DATABASE } from "#lib/db/embedded/passwords.ts";
import { createDatabase } from "#lib/db/embedded/roles.ts";
import { type Embedded, openEmbedded } from "#lib/db/embedded.ts";
import { MIGRATIONS_DIR, migrationNames } from "#lib/db/migrate.ts";
import { plantSeed, popularProviders } from "../prisma/seed/plant.ts";
import { type Community, describeCommunity, samplePercent } from "./community-data.ts";
import { digestOf, tokenOf } from "./credentials.ts";

export type Sizes = { agents: number; tasks: number; posts: number };
export type Agent = { publicId: string; token: string };

/** As many as the largest fleet has. */
const MOST_ACTIVE = 50_000;

/** A seeded database with what the loads need to know of it. */
export type DataSet = Sizes & {
  dataDir: string;
  url: string;
  /** The same with the right to change tables. */
  ownerUrl: string;
  /** Agents whose inboxes hold about five entries each. */
  providers: Agent[];
  /** Agents that are not suspended, whether or not anything is in their inboxes. */
  active: Agent[];
  listedTaskIds: string[];
  /** The most offered first. */
  skills: string[];
  community: Community;
  /** Whether it was made in an earlier run. */
  kept: boolean;
  /** Brings the health reports up to date, as if all who reported had gone on doing so. */
  refreshHealth(): Promise<void>;
  /** Brings the database's files into the operating system's cache. */
  readThrough(): Promise<void>;
  close(): Promise<void>;
};

/** Opens the data set in `dataDir`; it is made again unless `keep` is set and there is one of this size and schema. */
export async function openData(
  dataDir: string,
  sizes: Sizes,
  keep: boolean,
  log: (line: string) => void,
): Promise<DataSet> {
  mkdirSync(dataDir, { recursive: true });
  const database = await openEmbedded({ dir: join(dataDir, "postgres"), log });
  try {
    const kept = await fill(database, dataDir, sizes, keep, log);
    // Data that was just made is in the operating system's cache.
    if (kept) await readThrough(dataDir);
    return await describe(database, dataDir, sizes, kept);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function fill(
  database: Embedded,
  dataDir: string,
  sizes: Sizes,
  keep: boolean,
  log: (line: string) => void,
): Promise<boolean> {
  const noteFile = join(dataDir, "seeded.json");
  const note = JSON.stringify({ ...sizes, schema: schemaHash() });
  if (keep && existsSync(noteFile) && readFileSync(noteFile, "utf8") === note) return true;
  rmSync(noteFile, { force: true });
  await asSuperuser(database, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    await createDatabase(client, DATABASE);
  });
  await updateDatabase(database.url, database.ownerUrl);
  const began = performance.now();
  await plantSeed(database.ownerUrl, { ...sizes, offers: Math.floor(sizes.agents * 1.5), digestOf });
  log(
    `Seeded ${sizes.tasks} tasks, ${sizes.posts} posts and ${sizes.agents} identities in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  // What seeding left to be written to disk must not be written while we measure.
  await asSuperuser(database, (client) => client.query("CHECKPOINT"));
  writeFileSync(noteFile, note);
  return false;
}

async function readThrough(folder: string): Promise<void> {
  for await (const file of glob("postgres/cluster/base/**/*", { cwd: folder, withFileTypes: true })) {
    if (!file.isFile()) continue;
    for await (const _ of createReadStream(join(file.parentPath, file.name), { highWaterMark: 2 ** 20 }));
  }
}

function schemaHash(): string {
  const hash = createHash("sha256");
  for (const name of migrationNames()) hash.update(readFileSync(join(MIGRATIONS_DIR, name, "migration.sql")));
  // Digests in an earlier form would be renewed during the measurement.
  hash.update(digestOf(1));
  return hash.digest("hex");
}

async function describe(database: Embedded, dataDir: string, sizes: Sizes, kept: boolean): Promise<DataSet> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  const { rows: agents } = await client.query<{ id: string }>(
    "SELECT id FROM identities WHERE host ~ '^agent-' ORDER BY seq LIMIT $1",
    [Math.min(sizes.agents, popularProviders(sizes.tasks))],
  );
  const { rows: active } = await client.query<{ id: string; n: number }>(
    `SELECT id, n::int FROM (SELECT id, state, row_number() OVER (ORDER BY seq) AS n FROM identities WHERE host ~ '^agent-') numbered
     WHERE state = 'active' ORDER BY n LIMIT ${MOST_ACTIVE}`,
  );
  const { rows: tasks } = await client.query<{ id: string }>(
    `SELECT id FROM (SELECT id FROM tasks TABLESAMPLE SYSTEM (${samplePercent(sizes.tasks)}) WHERE visibility = 'listed') t
     ORDER BY random() LIMIT 5000`,
  );
  const { rows: skills } = await client.query<{ skill: string }>(
    "SELECT skill FROM offers WHERE matchable GROUP BY skill ORDER BY count(*) DESC, skill",
  );
  return {
    ...sizes,
    dataDir,
    url: database.url,
    ownerUrl: database.ownerUrl,
    providers: agents.map(({ id }, index) => ({ publicId: id, token: tokenOf(index + 1) })),
    active: active.map(({ id, n }) => ({ publicId: id, token: tokenOf(n) })),
    listedTaskIds: tasks.map(({ id }) => id),
    skills: skills.map(({ skill }) => skill),
    community: await describeCommunity(client, sizes.posts),
    kept,
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

async function asSuperuser(database: Embedded, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: database.superuserUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

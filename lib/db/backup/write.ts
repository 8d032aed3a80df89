import { createHash } from "node:crypto";
import { closeSync, createWriteStream, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { QueryFn } from "../connection.ts";
import { addEntry, COMPRESSION, endArchive, PART_BYTES } from "./archive.ts";
import { type BackedUpTable, FIRST, FORMAT, LAST, type Manifest, type SecretPrints } from "./manifest.ts";
import { listSequences, listTables, quoted, type Table } from "./relations.ts";

// A migration that waits for a table holds up everyone behind it, so neither waits long for the other.
const LOCK_MS = 10_000;

/**
 * Writes every row of one moment to a new file: whatever was committed before the call, and nothing half. It reads through a snapshot,
 * so reads and writes go on; only migrations wait. It holds a few parts of a table in memory, whatever the table's size.
 * @param url any role that may read all tables
 * @throws Error if the file exists; a backup that fails leaves none
 */
export async function writeBackup(
  url: string,
  file: string,
  secretsOf: (query: QueryFn) => Promise<SecretPrints>,
  { now, signal }: { now: Date; signal?: AbortSignal | undefined },
): Promise<Manifest> {
  if (existsSync(file)) throw new Error(`${file} exists: choose another name, or remove it.`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.part-${process.pid}`;
  const client = new pg.Client({ connectionString: url, application_name: "guildhall backup", keepAlive: true });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const compressor = createZstdCompress(COMPRESSION);
    const copied = copyAll({ client, sink: compressor, now, signal }, secretsOf).catch((error: Error) => {
      compressor.destroy(error);
      throw error;
    });
    const written = pipeline(compressor, createWriteStream(draft, { flags: "wx", mode: 0o600 }));
    const [manifest] = await Promise.all([copied, written]);
    publish(draft, file);
    return manifest;
  } finally {
    rmSync(draft, { force: true });
    await client.end().catch(() => undefined);
  }
}

/** The name stands for a complete file, also after a power failure. */
function publish(draft: string, file: string): void {
  const descriptor = openSync(draft, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}

type Work = { client: pg.Client; sink: Writable; now: Date; signal: AbortSignal | undefined };

async function copyAll(work: Work, secretsOf: (query: QueryFn) => Promise<SecretPrints>): Promise<Manifest> {
  const { client, sink, now } = work;
  const about = { format: FORMAT, made_at: now.toISOString() } as const;
  await addEntry(sink, FIRST, json(about), now);
  const found = await listTables(client);
  // The locks come before the first read, which takes the snapshot: no table changes its columns in between.
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
  await client.query(`LOCK TABLE ${found.map(({ name }) => quoted(name)).join(", ")} IN ACCESS SHARE MODE`);
  await client.query(SETTINGS);
  const { rows: server } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY migration_name`,
  );
  const secrets = await secretsOf(async <Row extends object>(text: string) => (await client.query<Row>(text)).rows);
  const tables: BackedUpTable[] = [];
  for (const table of await listTables(client)) tables.push(await copyTable(work, table));
  const sequences = await listSequences(client);
  await client.query("COMMIT");
  const postgresql = server[0]?.version ?? "";
  const manifest: Manifest = { ...about, postgresql, migrations, secrets, tables, sequences };
  await addEntry(sink, LAST, json(manifest), now);
  await endArchive(sink);
  return manifest;
}

/** How values look as text must not depend on the server's settings. */
const SETTINGS = `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8';
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '5min'`;

async function copyTable({ client, sink, now, signal }: Work, { name, columns }: Table): Promise<BackedUpTable> {
  const copy = client.query(copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join(", ")}) TO STDOUT`));
  const digest = createHash("sha256");
  let [bytes, part, kept] = [0, 0, 0];
  let pieces: Buffer[] = [];
  const flush = async () => {
    part += 1;
    await addEntry(sink, `tables/${name}/${String(part).padStart(6, "0")}`, Buffer.concat(pieces), now);
    [pieces, kept] = [[], 0];
  };
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    digest.update(chunk);
    bytes += chunk.length;
    kept += chunk.length;
    pieces.push(chunk);
    if (kept >= PART_BYTES) await flush();
  }
  if (kept > 0) await flush();
  return { name, columns, rows: copy.rowCount, bytes, sha256: digest.digest("hex") };
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import type { QueryFn } from "#lib/db/connection.ts";
import type { Hash, Range } from "#sdk/tlog/merkle.ts";
import {
  appendEntries,
  edgeTiles,
  HASH_BYTES,
  hashesIn,
  TILE_WIDTH,
  type TileName,
  Tiles,
  tilesOf,
} from "#sdk/tlog/tiles.ts";

export type Tree = {
  id: number;
  origin: string;
  vkey: string | null;
  size: number;
  /** The statements of all events up to this position are in the tree. */
  position: number;
  refusal: string | null;
  /** The highest position of all events. */
  head: number;
};

/** The level under which the entries themselves are kept, as tiles of 32 bytes each. */
export const ENTRIES = -1;

const COLUMNS = `id, origin, vkey, size::float8 AS size, position::float8 AS position, refusal,
  (SELECT last_position::float8 FROM event_feed) AS head`;

/** The current log; undefined before there is one. */
export async function readTree(query: QueryFn): Promise<Tree | undefined> {
  const [tree] = await query<Tree>(`SELECT ${COLUMNS} FROM log_trees ORDER BY id DESC LIMIT 1`);
  return tree;
}

/**
 * The current log, which nobody else adds to until this transaction ends. Its statements are planned once per connection, perhaps
 * while the tables are empty, so this transaction may only use plans that stay good: through the indices.
 */
export async function lockTree(query: QueryFn): Promise<Tree | undefined> {
  await query(
    `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.logLeaves}), set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)`,
  );
  return readTree(query);
}

/** The tiles from which the hashes of these ranges are computed. */
export async function readTiles(query: QueryFn, tree: number, ranges: readonly Range[]): Promise<Tiles> {
  const tiles = new Tiles();
  for (const { hashes, ...name } of await readNamed(query, tree, tilesOf(ranges))) tiles.set(name, hashes);
  return tiles;
}

type StoredTile = TileName & { hashes: Uint8Array<ArrayBuffer> };

/** Tiles by their names, in one query; those that are not there are left out. */
export async function readNamed(query: QueryFn, tree: number, names: readonly TileName[]): Promise<StoredTile[]> {
  if (names.length === 0) return [];
  const rows = await query<{ level: number; index: number; hashes: Buffer }>(
    `SELECT t.level, t.index::float8 AS index, t.hashes
     FROM unnest($2::smallint[], $3::bigint[]) AS n (level, index),
       LATERAL (SELECT * FROM log_tiles WHERE tree = $1 AND level = n.level AND index = n.index OFFSET 0) AS t`,
    [tree, names.map(({ level }) => level), names.map(({ index }) => index)],
  );
  return rows.map((row) => ({ ...row, hashes: new Uint8Array(row.hashes) }));
}

/** The root of the log at a size that it has, or once had. */
export async function rootAt(query: QueryFn, tree: number, size: number): Promise<Hash> {
  return (await readTiles(query, tree, [{ start: 0, end: size }])).root(size);
}

/** A statement that becomes a leaf. */
export type Entry = { eventSeq: string; hash: Uint8Array; settles: boolean | null };

/** SQL: whether a statement `s` may change what track records count. It is only a hint, so that most are not looked at again. */
export const SETTLES = `(${["settlement.", "dispute.", "task.lapsed", "task.dismissed", "task.cancelled"]
  .map((event) => `strpos(s.statement, '"event":"${event}') > 0`)
  .join(" OR ")})`;

/**
 * Adds statements to the locked log, in this order, and writes their tiles.
 * @param position up to which these are all that was missing
 */
export async function addLeaves(
  query: QueryFn,
  tree: Tree,
  entries: readonly Entry[],
  position: number,
): Promise<void> {
  if (entries.length > 0) await writeTiles(query, tree, entries);
  await query(
    `WITH added AS (
       INSERT INTO log_leaves (tree, leaf, event_seq)
       SELECT $1, $2::bigint + place - 1, event_seq FROM unnest($3::bigint[]) WITH ORDINALITY AS e (event_seq, place)
     )
     UPDATE log_trees SET size = $2::bigint + cardinality($3::bigint[]), position = $4, stalled_at = NULL WHERE id = $1`,
    [tree.id, tree.size, entries.map(({ eventSeq }) => eventSeq), position],
  );
  // Track records are counted from leaves alone, so that each can name the checkpoint that it rests on.
  const settling = entries.filter(({ settles }) => settles).map(({ eventSeq }) => eventSeq);
  if (settling.length > 0)
    await query("SELECT count_settled_tasks($1, $2::bigint[]), count_unfinished_claims($1, $2::bigint[])", [
      tree.id,
      settling,
    ]);
}

async function writeTiles(query: QueryFn, { id, size }: Tree, entries: readonly Entry[]): Promise<void> {
  const lastEntries = { level: ENTRIES, index: Math.floor(size / TILE_WIDTH) };
  const edge = (await readNamed(query, id, [...edgeTiles(size), lastEntries])).map((tile) => checkWidth(tile, size));
  const hashes = entries.map(({ hash }) => hash);
  const changed = [...appendEntries(size, edge, hashes), ...entryTiles(size, edge, hashes)];
  await query(
    `INSERT INTO log_tiles (tree, level, index, hashes)
     SELECT $1, * FROM unnest($2::smallint[], $3::bigint[], $4::bytea[])
     ON CONFLICT (tree, level, index) DO UPDATE SET hashes = excluded.hashes`,
    [
      id,
      changed.map(({ level }) => level),
      changed.map(({ index }) => index),
      changed.map((tile) => Buffer.from(tile.hashes)),
    ],
  );
}

/** Entries are kept as tiles too, without their lengths: every one has 32 bytes. */
function entryTiles(size: number, edge: readonly StoredTile[], entries: readonly Uint8Array[]): StoredTile[] {
  const tiles: StoredTile[] = [];
  let index = Math.floor(size / TILE_WIDTH);
  let before: Uint8Array[] = hashesIn(
    edge.find((tile) => tile.level === ENTRIES && tile.index === index)?.hashes ?? new Uint8Array(),
  );
  for (let taken = 0; taken < entries.length; index += 1, before = []) {
    const more = entries.slice(taken, taken + TILE_WIDTH - before.length);
    taken += more.length;
    tiles.push({ level: ENTRIES, index, hashes: new Uint8Array(Buffer.concat([...before, ...more])) });
  }
  return tiles;
}

/** @throws Error if the database's tiles and its size disagree: nothing is added to such a log */
function checkWidth(tile: StoredTile, size: number): StoredTile {
  const perHash = tile.level === ENTRIES ? 1 : TILE_WIDTH ** tile.level;
  const width = Math.min(TILE_WIDTH, Math.floor(size / perHash) - tile.index * TILE_WIDTH);
  if (tile.hashes.length === width * HASH_BYTES) return tile;
  throw new Error(
    `Tile ${tile.level}/${tile.index} of the log has ${tile.hashes.length / HASH_BYTES} hashes, but should have ${width} at size ${size}.`,
  );
}

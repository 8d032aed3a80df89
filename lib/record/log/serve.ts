import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { entryBundle, HASH_BYTES, hashesIn, parseTilePath, type TileRequest, tileWidth } from "#sdk/tlog/tiles.ts";
import { ENTRIES } from "./tree.ts";

/** Part of a log as it is served. */
type LogResource = { type: string; body: string | Uint8Array<ArrayBuffer>; cacheControl: string };

const published = statement(
  "log.published",
  { vkey: db.nullable(db.text), size: db.nullable(db.bigint), note: db.nullable(db.text) },
  "SELECT t.vkey, c.size, c.note FROM log_trees t LEFT JOIN log_checkpoints c ON c.tree = t.id WHERE t.id = $1",
);

const tile = statement(
  "log.tile",
  { hashes: db.bytea },
  "SELECT hashes FROM log_tiles WHERE tree = $1 AND level = $2 AND index = $3",
);

const TEXT = "text/plain; charset=utf-8";
const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * A resource of a log by its path below that log, such as `checkpoint` or `tile/0/000.p/5`; undefined if there is none. Only hashes
 * that a signed checkpoint covers are served.
 */
export async function readLogResource(tree: number, path: string): Promise<LogResource | undefined> {
  const request = parseTilePath(path);
  if (!request && path !== "checkpoint" && path !== "key") return undefined;
  const [log] = await published(tree);
  if (!log) return undefined;
  if (path === "key") return log.vkey === null ? undefined : text(`${log.vkey}\n`, "public, max-age=3600");
  if (path === "checkpoint") return log.note === null ? undefined : text(log.note, "no-store");
  return request && readTile(tree, request, Number(log.size ?? 0));
}

function text(body: string, cacheControl: string): LogResource {
  return { type: TEXT, body, cacheControl };
}

async function readTile(
  tree: number,
  { level, index, width }: TileRequest,
  size: number,
): Promise<LogResource | undefined> {
  const isEntries = level === "entries";
  const name = { level: isEntries ? 0 : level, index };
  // Trees of up to 2^53 leaves have no higher tiles, and the database has no larger numbers.
  if (name.level > 6 || index > 2 ** 45 || tileWidth(name, size) < width) return undefined;
  const [row] = await tile(tree, isEntries ? ENTRIES : level, index);
  if (!row || row.hashes.length < width * HASH_BYTES) return undefined;
  const bytes = new Uint8Array(row.hashes.subarray(0, width * HASH_BYTES));
  const body = isEntries ? entryBundle(hashesIn(bytes)) : bytes;
  return { type: "application/octet-stream", body, cacheControl: FOR_EVER };
}

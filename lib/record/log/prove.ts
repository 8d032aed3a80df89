import { pool } from "#lib/db/client.ts";
import { type Hash, hashLeaf, inclusionRanges, type Range, verifyInclusion } from "#sdk/tlog/merkle.ts";
import { Tile, type TileName, Tiles, tilesOf } from "#sdk/tlog/tiles.ts";
import { query } from "./connection.ts";
import { readNamed } from "./tree.ts";

/** How many tiles each process keeps: up to 8 KiB of hashes each, and as much for the nodes above them. */
const MOST_TILES = 512;

/** The tiles that were used last, by their names; those of another database are of no use. */
const kept = new WeakMap<ReturnType<typeof pool>, Map<string, Tile>>();

/** A leaf by its index, with the entry that it is the hash of. */
export type Leaf = { index: number; entry: Uint8Array };

/**
 * The proofs that these leaves are in the tree of that size and root, in one query at most. A tile only grows, so what was read once serves
 * again, also for proofs in a larger tree. Each proof is checked, because an older database may have been restored meanwhile: then everything
 * is read again.
 */
export async function proveLeaves(
  tree: number,
  { size, root }: { size: number; root: Uint8Array },
  leaves: readonly Leaf[],
): Promise<Hash[][]> {
  const ranges = leaves.map(({ index }) => inclusionRanges(index, size));
  const prove = async () => {
    const tiles = await readTiles(tree, ranges.flat());
    return ranges.map((path) => tiles.hashesOf(path));
  };
  const proofs = await prove();
  const isRight = leaves.every(({ index, entry }, at) =>
    verifyInclusion(hashLeaf(entry), index, size, proofs[at] ?? [], root),
  );
  if (isRight) return proofs;
  kept.delete(pool());
  return prove();
}

async function readTiles(tree: number, ranges: readonly Range[]): Promise<Tiles> {
  const known = keptTiles();
  const tiles = new Tiles();
  const missing: TileName[] = [];
  for (const { width, ...name } of tilesOf(ranges)) {
    const tile = known.get(keyOf(tree, name));
    if (tile && tile.width >= width) {
      keep(known, keyOf(tree, name), tile);
      tiles.set(name, tile);
    } else missing.push(name);
  }
  for (const { hashes, ...name } of await readNamed(query, tree, missing)) {
    const tile = new Tile(hashes);
    keep(known, keyOf(tree, name), tile);
    tiles.set(name, tile);
  }
  return tiles;
}

const keyOf = (tree: number, { level, index }: TileName) => `${tree}/${level}/${index}`;

function keptTiles(): Map<string, Tile> {
  const known = kept.get(pool()) ?? new Map<string, Tile>();
  kept.set(pool(), known);
  return known;
}

/** The tile becomes the last that would be dropped. */
function keep(known: Map<string, Tile>, key: string, tile: Tile): void {
  known.delete(key);
  known.set(key, tile);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_TILES) return;
    known.delete(oldest);
  }
}

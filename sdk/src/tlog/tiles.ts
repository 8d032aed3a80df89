import { concat } from "../bytes.ts";
import { foldNodes, foldTree, type Hash, hashLeaf, type Node, nodesOf, type Range } from "./merkle.ts";

/*
 * Tiles as in c2sp.org/tlog-tiles: 256 hashes each, a level of tiles for every eight levels of the tree.
 */

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
export const HASH_BYTES = 32;
/** Trees of up to 2^53 leaves have no tiles above this level. */
const HIGHEST_LEVEL = 6;

/** `level` 0 holds hashes of leaves; `index` counts the tiles of the level. */
export type TileName = { level: number; index: number };
/** The tile's path has this many hashes; 256 is a full tile, whose path says nothing about its width. */
export type TileRequest = { level: number | "entries"; index: number; width: number };

/** The tile's path below the log, such as `tile/0/x001/x234/067.p/8`. */
export function tilePath({ level, index, width }: TileRequest): string {
  let rest = Math.floor(index / 1_000);
  let path = String(index % 1_000).padStart(3, "0");
  for (; rest > 0; rest = Math.floor(rest / 1_000)) path = `x${String(rest % 1_000).padStart(3, "0")}/${path}`;
  return `tile/${level}/${path}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

const PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Undefined unless the path is the one way to name that tile. */
export function parseTilePath(path: string): TileRequest | undefined {
  const [, level = "", digits = "", width] = PATH.exec(path) ?? [];
  const index = Number(digits.replaceAll(/[x/]/g, ""));
  if (digits === "" || !Number.isSafeInteger(index)) return undefined;
  const request = {
    level: level === "entries" ? ("entries" as const) : Number(level),
    index,
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  return tilePath(request) === path ? request : undefined;
}

/** How many hashes the tile has in a tree of that size: 0 to 256. */
export function tileWidth({ level, index }: TileName, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH;
  return Math.max(0, Math.min(TILE_WIDTH, hashes));
}

/** The last tile of each level in a tree of that size, full ones included; a level without hashes has none. */
export function edgeTiles(size: number): TileName[] {
  const tiles: TileName[] = [];
  for (let level = 0; level <= HIGHEST_LEVEL; level += 1) {
    const hashes = Math.floor(size / TILE_WIDTH ** level);
    if (hashes === 0) break;
    tiles.push({ level, index: Math.floor((hashes - 1) / TILE_WIDTH) });
  }
  return tiles;
}

/** The tile that holds what is below or at a node, and where in it. */
function placeOf({ height, index }: Node): TileName & { from: number; to: number } {
  const level = Math.floor(height / TILE_HEIGHT);
  const width = 2 ** (height % TILE_HEIGHT);
  const start = index * width;
  const tile = Math.floor(start / TILE_WIDTH);
  return { level, index: tile, from: start - tile * TILE_WIDTH, to: start - tile * TILE_WIDTH + width };
}

const keyOf = ({ level, index }: TileName) => `${level}/${index}`;

/** Each tile once that the hashes of these ranges need. */
export function tilesOf(ranges: readonly Range[]): TileName[] {
  const places = ranges.flatMap(nodesOf).map(placeOf);
  return [...new Map(places.map(({ level, index }) => [keyOf({ level, index }), { level, index }])).values()];
}

/** Tiles that were read, from which hashes of ranges are computed. */
export class Tiles {
  readonly #tiles = new Map<string, Uint8Array>();

  set(tile: TileName, hashes: Uint8Array): void {
    this.#tiles.set(keyOf(tile), hashes);
  }

  /** @throws Error if a tile that it needs was not read, or is too narrow */
  hashOf(range: Range): Hash {
    return foldNodes(nodesOf(range).map((node) => this.#nodeHash(node)));
  }

  hashesOf(ranges: readonly Range[]): Hash[] {
    return ranges.map((range) => this.hashOf(range));
  }

  /** The root of the tree of that size, for which the tiles of `{start: 0, end: size}` were read. */
  root(size: number): Hash {
    return this.hashOf({ start: 0, end: size });
  }

  #nodeHash(node: Node): Hash {
    const { from, to, ...tile } = placeOf(node);
    const bytes = this.#tiles.get(keyOf(tile));
    if (!bytes || bytes.length < to * HASH_BYTES) throw new Error(`Tile ${keyOf(tile)} has no hash ${to - 1}.`);
    return foldTree(hashesIn(bytes.subarray(from * HASH_BYTES, to * HASH_BYTES)));
  }
}

/** The hashes that a tile holds one after another. */
export function hashesIn(tile: Uint8Array): Hash[] {
  return Array.from({ length: Math.floor(tile.length / HASH_BYTES) }, (_, index) =>
    tile.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}

/** A tile as it grows: `key` of {@link appendEntries}. */
export type GrownTile = TileName & { hashes: Uint8Array<ArrayBuffer> };

/**
 * Appends leaves to a tree. Pure.
 * @param edge the last tile of each level of the tree before, as `edgeTiles` names them
 * @returns every tile that changed or is new, whole
 */
export function appendEntries(size: number, edge: readonly GrownTile[], entries: readonly Uint8Array[]): GrownTile[] {
  const changed: GrownTile[] = [];
  let added: Hash[] = entries.map(hashLeaf);
  for (let level = 0, before = size; added.length > 0; level += 1) {
    const above: Hash[] = [];
    let tile = Math.floor(before / TILE_WIDTH);
    let hashes = before % TILE_WIDTH === 0 ? [] : hashesIn(edgeOf(edge, level, tile, before % TILE_WIDTH));
    for (let taken = 0; taken < added.length; tile += 1, hashes = []) {
      const more = added.slice(taken, taken + TILE_WIDTH - hashes.length);
      taken += more.length;
      const whole = [...hashes, ...more];
      changed.push({ level, index: tile, hashes: concat(...whole) });
      if (whole.length === TILE_WIDTH) above.push(foldTree(whole));
    }
    before = Math.floor(before / TILE_WIDTH);
    added = above;
  }
  return changed;
}

function edgeOf(edge: readonly GrownTile[], level: number, index: number, width: number): Uint8Array {
  const found = edge.find((tile) => tile.level === level && tile.index === index);
  if (found?.hashes.length !== width * HASH_BYTES)
    throw new Error(`Tile ${level}/${index} should have ${width} hashes, but has ${(found?.hashes.length ?? 0) / 32}.`);
  return found.hashes;
}

/** An entry bundle: each entry after its length in two bytes, big-endian. */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]));
}

/** Undefined if the bundle ends within an entry. */
export function entriesIn(bundle: Uint8Array): Uint8Array[] | undefined {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length; ) {
    const length = ((bundle[at] as number) << 8) | (bundle[at + 1] ?? 0);
    const end = at + 2 + length;
    if (at + 2 > bundle.length || end > bundle.length) return undefined;
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}

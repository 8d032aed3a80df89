import { concat } from "../bytes.ts";
import { foldNodes, type Hash, hashLeaf, type Node, nodesOf, parents, type Range } from "./merkle.ts";

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

/** The tile that holds what is below or at a node: which of the nodes of that height above its hashes it is, and how many hashes it takes. */
function placeOf({ height, index }: Node): TileName & { height: number; node: number; width: number } {
  const above = height % TILE_HEIGHT;
  const perTile = TILE_WIDTH / 2 ** above;
  const tile = Math.floor(index / perTile);
  const node = index - tile * perTile;
  return { level: Math.floor(height / TILE_HEIGHT), index: tile, height: above, node, width: (node + 1) * 2 ** above };
}

const keyOf = ({ level, index }: TileName) => `${level}/${index}`;

/** Each tile once that the hashes of these ranges need, with the number of hashes that it must have at least. */
export function tilesOf(ranges: readonly Range[]): (TileName & { width: number })[] {
  const tiles = new Map<string, TileName & { width: number }>();
  for (const { level, index, width } of ranges.flatMap(nodesOf).map(placeOf)) {
    const key = keyOf({ level, index });
    tiles.set(key, { level, index, width: Math.max(width, tiles.get(key)?.width ?? 0) });
  }
  return [...tiles.values()];
}

/** The hashes of a tile, and of the nodes above them, which are computed when they are first needed. */
export class Tile {
  /** Row 0 has the tile's own hashes, each further row one for every two of the row before. */
  readonly #rows: Uint8Array[];

  constructor(hashes: Uint8Array) {
    this.#rows = [hashes];
  }

  /** How many hashes it has. */
  get width(): number {
    return Math.floor(this.#row(0).length / HASH_BYTES);
  }

  /** The hash of a node above 2^height of its hashes; undefined if it has too few. */
  nodeHash(height: number, index: number): Hash | undefined {
    const row = this.#row(height);
    const end = (index + 1) * HASH_BYTES;
    return row.length < end ? undefined : row.slice(end - HASH_BYTES, end);
  }

  #row(height: number): Uint8Array {
    const known = this.#rows[height];
    if (known) return known;
    const row = parents(this.#row(height - 1));
    this.#rows[height] = row;
    return row;
  }
}

/** Tiles that were read, from which hashes of ranges are computed. */
export class Tiles {
  readonly #tiles = new Map<string, Tile>();

  set(name: TileName, tile: Uint8Array | Tile): void {
    this.#tiles.set(keyOf(name), tile instanceof Tile ? tile : new Tile(tile));
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
    const { height, node: place, width, ...name } = placeOf(node);
    const hash = this.#tiles.get(keyOf(name))?.nodeHash(height, place);
    if (!hash) throw new Error(`Tile ${keyOf(name)} has no hash ${width - 1}.`);
    return hash;
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
      const grown = concat(...whole);
      changed.push({ level, index: tile, hashes: grown });
      const top = whole.length === TILE_WIDTH && new Tile(grown).nodeHash(TILE_HEIGHT, 0);
      if (top) above.push(top);
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

import { concat } from "../bytes.ts";
import { type Checkpoint, openCheckpoint } from "./checkpoint.ts";
import { consistencyRanges, type Range, verifyConsistency } from "./merkle.ts";
import type { Vkey } from "./note.ts";
import { HASH_BYTES, TILE_WIDTH, type TileName, Tiles, tilePath, tilesOf, tileWidth } from "./tiles.ts";

/*
 * Reading a log over HTTP (c2sp.org/tlog-tiles).
 */

/** The log could not be read: no answer, or one that is not part of a log. Trying again may help. */
export class LogUnavailable extends Error {
  /** The log answered that it does not have this. */
  readonly isMissing: boolean;
  constructor(message: string, isMissing = false) {
    super(message);
    this.isMissing = isMissing;
  }
}

const TIMEOUT_MS = 15_000;
/** More than any checkpoint or tile has. */
const MAX_BYTES = 65_536;

/** Where the log is, from the address of the installation or of the log itself; without a slash at the end. */
export function logPrefix(url: string): string {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "");
  return `${origin}${path === "" ? "/log" : path}`;
}

export async function fetchText(url: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await fetchBytes(url));
}

async function fetchBytes(url: string): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), cache: "no-store" });
    bytes = await readBounded(response);
  } catch (error) {
    throw new LogUnavailable(`${url}: ${(error as Error).message}`);
  }
  if (!response.ok) throw new LogUnavailable(`${url} answered ${response.status}`, response.status === 404);
  if (!bytes) throw new LogUnavailable(`${url} sent more than ${MAX_BYTES} bytes`);
  return bytes;
}

/** The body; undefined if it is too long. The rest of such a body is not read, because it may have no end. */
async function readBounded({ body }: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let bytes = new Uint8Array();
  const reader = body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return bytes;
    bytes = concat(bytes, value);
    if (bytes.length > MAX_BYTES) {
      await reader?.cancel();
      return undefined;
    }
  }
}

/** The newest checkpoint with its text. @throws LogUnavailable if it is not signed with the key */
export async function fetchCheckpoint(prefix: string, key: Vkey): Promise<Checkpoint & { text: string }> {
  const text = await fetchText(`${prefix}/checkpoint`);
  const checkpoint = await openCheckpoint(text, key);
  if (!checkpoint) throw new LogUnavailable(`${prefix}/checkpoint is not signed with the key of ${key.name}`);
  return { ...checkpoint, text };
}

type Head = { size: number; root: Uint8Array };

/** Whether the newer tree begins with the older one, by the tiles of the newer one. @throws LogUnavailable */
export async function fetchConsistency(prefix: string, older: Head, newer: Head): Promise<boolean> {
  const ranges = consistencyRanges(older.size, newer.size);
  const tiles = await fetchTiles(prefix, ranges, newer.size);
  return verifyConsistency(older, newer, tiles.hashesOf(ranges));
}

async function fetchTiles(prefix: string, ranges: readonly Range[], size: number): Promise<Tiles> {
  const tiles = new Tiles();
  await Promise.all(tilesOf(ranges).map(async (name) => tiles.set(name, await fetchTile(prefix, name, size))));
  return tiles;
}

/** A partial tile may be gone once the tile is full. */
async function fetchTile(prefix: string, name: TileName, size: number): Promise<Uint8Array> {
  const width = tileWidth(name, size);
  const read = (of: number) => fetchBytes(`${prefix}/${tilePath({ ...name, width: of })}`);
  const bytes = await read(width).catch((error: Error) => {
    if (width === TILE_WIDTH) throw error;
    return read(TILE_WIDTH);
  });
  if (bytes.length < width * HASH_BYTES) throw new LogUnavailable(`A tile of ${prefix} is too short.`);
  return bytes;
}

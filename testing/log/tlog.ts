import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { utf8 } from "#sdk/bytes.ts";
import type { Hash } from "#sdk/tlog/merkle.ts";
import { keyId, SIGNATURE_TYPES, type Signer } from "#sdk/tlog/note.ts";
import { appendEntries, edgeTiles, type GrownTile, Tiles, tilesOf } from "#sdk/tlog/tiles.ts";

/** A tree in memory, grown by batches of these sizes, as its tiles. */
export class Tree {
  size = 0;
  readonly stored = new Map<string, GrownTile>();

  append(entries: readonly Uint8Array[]): void {
    const edge = edgeTiles(this.size).flatMap((tile) => this.stored.get(`${tile.level}/${tile.index}`) ?? []);
    for (const tile of appendEntries(this.size, edge, entries)) this.stored.set(`${tile.level}/${tile.index}`, tile);
    this.size += entries.length;
  }

  /** Only the tiles that these ranges need, as a server or a client would read them. */
  tiles(...ranges: { start: number; end: number }[]): Tiles {
    const tiles = new Tiles();
    for (const name of tilesOf(ranges))
      tiles.set(name, (this.stored.get(`${name.level}/${name.index}`) as GrownTile).hashes);
    return tiles;
  }

  root(size = this.size): Hash {
    return this.tiles({ start: 0, end: size }).root(size);
  }
}

/** Entries that differ, the first of them with the number `start`. */
export const entriesFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, at) => utf8(`entry ${start + at}`));

function rawPublicKey(key: KeyObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32));
}

/** A new key that signs notes under this name. */
export function newSigner(name: string, type: number = SIGNATURE_TYPES.note): Signer {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicKey = rawPublicKey(privateKey);
  return {
    name,
    type,
    publicKey,
    id: keyId(name, type, publicKey),
    sign: (message) => sign(null, message, privateKey),
  };
}

import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream";
import { constants, createZstdDecompress } from "node:zlib";

/*
 * A backup is a tar archive (ustar), compressed with Zstandard, so `tar --zstd -tf FILE` lists it. A tar entry states its length first,
 * so what is longer than PART_BYTES, or of unknown length, is written as several entries.
 */

export const PART_BYTES = 4 * 2 ** 20;
const MAX_ENTRY_BYTES = 2 * PART_BYTES;
const BLOCK = 512;

/** The file is not what was written, or not a backup at all. */
export class BackupDamaged extends Error {
  readonly code = "backup_damaged";
}

/** Parameters for the compressor: the checksum lets the reader notice any changed byte. */
export const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** Writes one entry, and waits while the receiver is slower. @param content at most `PART_BYTES` and one chunk more */
export async function addEntry(sink: Writable, name: string, content: Uint8Array, at: Date): Promise<void> {
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  await write(sink, Buffer.concat([headerOf(name, content.length, at), content, padding]));
}

/** Two empty blocks end a tar archive. */
export async function endArchive(sink: Writable): Promise<void> {
  await write(sink, Buffer.alloc(2 * BLOCK));
  sink.end();
}

async function write(sink: Writable, bytes: Uint8Array): Promise<void> {
  if (sink.errored) throw sink.errored;
  if (!sink.write(bytes)) await once(sink, "drain");
}

function headerOf(name: string, length: number, at: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for a tar archive.`);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;
  header.write(name, 0);
  header.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8), 100);
  header.write(octal(length, 12) + octal(Math.floor(at.getTime() / 1000), 12), 124);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  header.write(`${checksum(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** The sum of the header's bytes, with spaces where the sum itself stands. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

export type Entry = { name: string; content: Buffer };

/** The entries of a file, in order. @throws BackupDamaged */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const source = createReadStream(file);
  await once(source, "open");
  // The callback only keeps an error from being unhandled: the loop below gets it as well.
  const stream = pipeline(source, createZstdDecompress(), () => undefined);
  try {
    yield* entriesOf(stream);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (!code.startsWith("ZSTD") && !code.startsWith("Z_")) throw error;
    throw new BackupDamaged(`${file} is damaged, or is not a backup (${(error as Error).message}).`);
  } finally {
    stream.destroy();
  }

  async function* entriesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
    const reader = new Reader(chunks, () => new BackupDamaged(`${file} is incomplete: it breaks off.`));
    for (;;) {
      const header = await reader.take(BLOCK);
      if (header.every((byte) => byte === 0)) return await reader.finish();
      const text = (from: number, length: number) =>
        header.toString("latin1", from, from + length).replace(/\0.*$/s, "");
      const length = Number.parseInt(text(124, 12), 8);
      if (Number.parseInt(text(148, 8), 8) !== checksum(header) || !(length <= MAX_ENTRY_BYTES))
        throw new BackupDamaged(`${file} is damaged, or is not a backup of this service.`);
      const content = await reader.take(length);
      await reader.take((BLOCK - (length % BLOCK)) % BLOCK);
      yield { name: text(0, 100), content };
    }
  }
}

/** Cuts a stream of chunks into pieces of given lengths. */
class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #tooShort: () => Error;
  #kept: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>, tooShort: () => Error) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#tooShort = tooShort;
  }

  async take(length: number): Promise<Buffer> {
    const pieces = [this.#kept];
    let have = this.#kept.length;
    while (have < length) {
      const { value, done } = await this.#chunks.next();
      if (done) throw this.#tooShort();
      pieces.push(value);
      have += value.length;
    }
    const all = pieces.length === 1 ? this.#kept : Buffer.concat(pieces);
    this.#kept = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Reads on to the end, where the decompressor compares the checksum of the whole. */
  async finish(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}

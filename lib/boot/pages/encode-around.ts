import { promisify } from "node:util";
import { constants, crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";

// A page differs between two answers only in its nonce, so it is compressed once, with a gap for the nonce: a stored block (RFC 1951,
// 3.2.4), which can be written without compressing anything.

/** Bytes of this kind never occur in a page, so the compressor cannot refer back to a gap. */
const GAP = 0x01;
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** A text with gaps of `width` bytes between its parts. */
export type Gapped = { parts: readonly Buffer[]; deflated: readonly Buffer[]; width: number };

/** Compresses a text that has gaps of `width` bytes between its parts. */
export async function compressGapped(parts: readonly Buffer[], width: number): Promise<Gapped> {
  const deflate = createDeflateRaw({ level: 6 });
  const deflated: Buffer[] = [];
  try {
    for (const [n, part] of parts.entries()) {
      // What the compressor makes of a gap is thrown away; it only has to count the bytes for its references.
      if (n > 0) await flush(deflate, Buffer.alloc(width, GAP));
      deflated.push(await flush(deflate, part));
    }
  } finally {
    deflate.close();
  }
  return { parts, deflated, width };
}

/** What the compressor makes of these bytes, up to a byte boundary. */
async function flush(deflate: DeflateRaw, bytes: Buffer): Promise<Buffer> {
  deflate.write(bytes);
  await promisify((kind: number, done: () => void) => deflate.flush(kind, done))(constants.Z_SYNC_FLUSH);
  const made: Buffer[] = [];
  for (let chunk = deflate.read(); chunk !== null; chunk = deflate.read()) made.push(chunk as Buffer);
  return Buffer.concat(made);
}

/** The text with `filling` in its gaps. @throws RangeError unless it is as wide as they are */
export function fill({ parts, width }: Gapped, filling: string): Buffer {
  return join(parts, fitting(filling, width));
}

/** The same, compressed by gzip (RFC 1952). */
export function fillGzip({ parts, deflated, width }: Gapped, filling: string): Buffer {
  const bytes = fitting(filling, width);
  const block = Buffer.concat([Buffer.from([0, width & 255, width >> 8, ~width & 255, (~width >> 8) & 255]), bytes]);
  const trailer = Buffer.alloc(8);
  let sum = 0;
  let length = 0;
  for (const [n, part] of parts.entries()) {
    if (n > 0) sum = crc32(bytes, sum);
    sum = crc32(part, sum);
    length += part.length + (n > 0 ? width : 0);
  }
  trailer.writeUInt32LE(sum, 0);
  trailer.writeUInt32LE(length, 4);
  return Buffer.concat([GZIP_HEADER, join(deflated, block), LAST_BLOCK, trailer]);
}

function fitting(filling: string, width: number): Buffer {
  const bytes = Buffer.from(filling, "latin1");
  if (bytes.length !== width) throw new RangeError(`The filling must have ${width} bytes, and has ${bytes.length}.`);
  return bytes;
}

function join(parts: readonly Buffer[], between: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, n) => (n > 0 ? [between, part] : [part])));
}

import { constants, crc32, createDeflateRaw } from "node:zlib";
import { compressEach, type Form, gapsBetween, split } from "./gapped-text.ts";

// In gzip (RFC 1952) a gap is a stored block (RFC 1951, 3.2.4), which can be written without compressing anything.

/** Bytes of this kind never occur in a page, so the compressor cannot refer back to a gap. */
const GAP = 0x01;
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** A text that has gaps where `filler` stands, compressed by gzip. */
export async function gzipForm(text: Buffer, filler: string): Promise<Form> {
  const width = filler.length;
  const parts = split(text, filler);
  const gap = Buffer.alloc(width, GAP);
  const compressor = createDeflateRaw({ level: 6, flush: constants.Z_SYNC_FLUSH });
  const deflated = await compressEach(
    compressor,
    parts.flatMap((part, n) => (n > 0 ? [gap, part] : [part])),
  );
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(text.length, 4);
  const block = Buffer.from([0, width & 255, width >> 8, ~width & 255, (~width >> 8) & 255]);
  // What the compressor made of a gap is thrown away; it only had to count the bytes for its references.
  const pieces = parts.map((_, n) => {
    const end = n < parts.length - 1 ? [block] : [LAST_BLOCK, trailer];
    return Buffer.concat([...(n === 0 ? [HEADER] : []), deflated[2 * n] ?? Buffer.alloc(0), ...end]);
  });
  const checksum = checksumOf(parts, width);
  return {
    bytes: Buffer.concat(pieces.flatMap((piece, n) => (n > 0 ? [gap, piece] : [piece]))),
    gaps: gapsBetween(pieces, width),
    width,
    finish: (bytes, filling) => void bytes.writeUInt32LE(checksumWith(checksum, filling), bytes.length - 8),
  };
}

/**
 * The CRC-32 of a text with gaps, as a function of what fills them. With `a` followed by `b`, it is `shift(crc(a), b.length) ^ crc(b)`,
 * where `shift` multiplies by a power of x modulo the polynomial: the terms of the parts are one number, and so are the factors of
 * the filling. An answer then costs one product instead of a pass over the text.
 */
type Checksum = { ofParts: number; factor: number };

function checksumOf(parts: readonly Buffer[], width: number): Checksum {
  let ofParts = 0;
  let factor = 0;
  let shift = ONE;
  const gapShift = powerOfX(8 * width);
  for (const [n, part] of [...parts.entries()].reverse()) {
    ofParts ^= multiply(shift, crc32(part));
    if (n === 0) break;
    shift = multiply(shift, powerOfX(8 * part.length));
    factor ^= shift;
    shift = multiply(shift, gapShift);
  }
  return { ofParts, factor };
}

function checksumWith({ ofParts, factor }: Checksum, filling: Buffer): number {
  return (ofParts ^ multiply(factor, crc32(filling))) >>> 0;
}

/** CRC-32's polynomial. As everywhere here, the highest bit is the coefficient of 1, and the lowest that of x to the 31. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** The product of two polynomials, modulo the polynomial. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (one & bit) product ^= other;
    other = other & 1 ? (other >>> 1) ^ POLYNOMIAL : other >>> 1;
  }
  return product;
}

function powerOfX(exponent: number): number {
  let power = ONE;
  let square = ONE >>> 1;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  return power;
}

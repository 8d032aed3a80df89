import { constants, crc32, createDeflateRaw } from "node:zlib";

// A page differs between two answers only in its nonce, so it is compressed once, with a gap for the nonce: a stored block (RFC 1951,
// 3.2.4), which can be written without compressing anything. An answer is a copy of it with the gaps filled.

/** Bytes of this kind never occur in a page, so the compressor cannot refer back to a gap. */
const GAP = 0x01;
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** Bytes with gaps, which begin at `gaps`. `spare` is a copy that has been sent, and only needs another filling. */
type Form = { bytes: Buffer; gaps: readonly number[]; spare?: Buffer | undefined };

/** Bytes to send. `release` is called when nobody needs them any more; they may then change. */
type Filled = { bytes: Buffer; release(): void };

/** A text that has gaps of `width` bytes, plain and compressed by gzip (RFC 1952). */
export type Gapped = { width: number; plain: Form; gzip: Form; checksum: Checksum };

/** Prepares a text that has gaps where `filler` stands. It keeps the text, and changes nothing in it. */
export async function compressGapped(text: Buffer, filler: string): Promise<Gapped> {
  const width = filler.length;
  const parts = split(text, filler);
  const deflated: Buffer[] = [];
  const compressor = openCompressor();
  try {
    for (const [n, part] of parts.entries()) {
      // What the compressor makes of a gap is thrown away; it only has to count the bytes for its references.
      if (n > 0) await compressor.compress(Buffer.alloc(width, GAP));
      deflated.push(await compressor.compress(part));
    }
  } finally {
    compressor.close();
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(text.length, 4);
  const block = Buffer.from([0, width & 255, width >> 8, ~width & 255, (~width >> 8) & 255]);
  const pieces = deflated.map((part, n) => {
    const end = n < deflated.length - 1 ? [block] : [LAST_BLOCK, trailer];
    return Buffer.concat([...(n === 0 ? [GZIP_HEADER] : []), part, ...end]);
  });
  const gap = Buffer.alloc(width, GAP);
  const gzip = Buffer.concat(pieces.flatMap((piece, n) => (n > 0 ? [gap, piece] : [piece])));
  return {
    width,
    plain: { bytes: text, gaps: gapsBetween(parts, width) },
    gzip: { bytes: gzip, gaps: gapsBetween(pieces, width) },
    checksum: checksumOf(parts, width),
  };
}

/** The parts of a text between its gaps; all of it is one part if `filler` is empty. */
export function split(text: Buffer, filler: string): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = filler ? text.indexOf(filler) : -1; at >= 0; at = text.indexOf(filler, from)) {
    parts.push(text.subarray(from, at));
    from = at + filler.length;
  }
  return [...parts, text.subarray(from)];
}

function gapsBetween(parts: readonly Buffer[], width: number): number[] {
  let length = 0;
  return parts.slice(0, -1).map((part) => {
    const gap = length + part.length;
    length = gap + width;
    return gap;
  });
}

/** A compressor that is given a text in parts, and makes of each what ends at a byte boundary. */
function openCompressor() {
  const deflate = createDeflateRaw({ level: 6, flush: constants.Z_SYNC_FLUSH });
  let made: Buffer[] = [];
  // It stops when nobody takes what it has made, so it is taken while it works.
  deflate.on("data", (chunk: Buffer) => made.push(chunk));
  // Whoever writes is told as well.
  deflate.on("error", () => undefined);
  return {
    async compress(bytes: Buffer): Promise<Buffer> {
      await new Promise<void>((done, fail) => {
        deflate.write(bytes, (error) => (error ? fail(error) : done()));
      });
      while (deflate.read() !== null);
      const all = Buffer.concat(made);
      made = [];
      return all;
    },
    close: () => deflate.close(),
  };
}

/** The text with `filling` in its gaps. @throws RangeError unless it is as wide as they are */
export function fill({ plain, width }: Gapped, filling: string): Filled {
  return filled(plain, fitting(filling, width));
}

/** The same, compressed by gzip. */
export function fillGzip({ gzip, width, checksum }: Gapped, filling: string): Filled {
  const between = fitting(filling, width);
  const made = filled(gzip, between);
  made.bytes.writeUInt32LE(checksumWith(checksum, between), made.bytes.length - 8);
  return made;
}

function fitting(filling: string, width: number): Buffer {
  const bytes = Buffer.from(filling, "latin1");
  if (bytes.length !== width) throw new RangeError(`The filling must have ${width} bytes, and has ${bytes.length}.`);
  return bytes;
}

/** A copy of its own for each answer that is on its way; nearly always the last one has gone, and its copy is still in the processor's cache. */
function filled(form: Form, filling: Buffer): Filled {
  const bytes = form.spare ?? Buffer.from(form.bytes);
  form.spare = undefined;
  for (const gap of form.gaps) bytes.set(filling, gap);
  const release = () => {
    form.spare = bytes;
  };
  return { bytes, release };
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

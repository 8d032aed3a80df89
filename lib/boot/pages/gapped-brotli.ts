import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { type BrotliCompress, brotliDecompress, constants, createBrotliCompress } from "node:zlib";
import { compressEach, type Form, fill, plainForm, split } from "./gapped-text.ts";

// In Brotli (RFC 7932) only the first place of the nonce is a gap: an uncompressed meta-block (9.2). The compressor looks back over the
// whole page, so it writes the later places as references to the first, and they change with it.

/** With the smaller window, which most pages fit into, as quick as gzip at its usual level; with the larger one it takes four times as long. */
const QUALITY = 8;
const WINDOW_BITS = { small: 18, large: 22 } as const;
/** An empty last meta-block. */
const LAST_BLOCK = Buffer.from([0x03]);
/** Bytes that neither a page nor Brotli's dictionary contains: a gap has nothing in common with what is before it. */
const UNIQUE = Array.from({ length: 0x20 }, (_, byte) => String.fromCharCode(byte))
  .join("")
  .replace(/\s/g, "");
/** How Brotli codes a byte may depend on the two before it, so those at the end of a gap always have to be the same. */
const ENDING = 2;
const decompress = promisify(brotliDecompress);

/**
 * A text that has gaps where `filler` stands, compressed by Brotli. All fillings have to end as `filler` does.
 * @returns undefined if the compressor did not refer to the first gap everywhere: then it takes another form
 */
export async function brotliForm(text: Buffer, filler: string): Promise<Form | undefined> {
  const width = filler.length;
  const ending = filler.slice(-ENDING);
  const [first = text, ...others] = split(text, filler);
  const gap = Buffer.from(UNIQUE.slice(0, width - ENDING) + ending, "latin1");
  const rest = Buffer.concat(others.flatMap((part, n) => (n > 0 ? [gap, part] : [part])));
  const compressor = openCompressor(text.length);
  if (others.length === 0) {
    const [bytes = first] = await compressEach(compressor, [first]);
    return { bytes: Buffer.concat([bytes, LAST_BLOCK]), gaps: [], width };
  }
  const [before = first, , after = rest] = await compressEach(compressor, [first, gap, rest]);
  const block = uncompressedBlock(width);
  const bytes = Buffer.concat([before, block, gap, after, LAST_BLOCK]);
  const form = { bytes, gaps: [before.length + block.length], width, ending };
  return (await refersToGap(form, text, filler)) ? form : undefined;
}

function openCompressor(length: number): BrotliCompress {
  const { small, large } = WINDOW_BITS;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: length < 2 ** small ? small : large,
  };
  return createBrotliCompress({ params, flush: constants.BROTLI_OPERATION_FLUSH });
}

/** Header of a meta-block that is not the last one, has a length of four hexadecimal digits, and is not compressed. */
function uncompressedBlock(length: number): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE(((length - 1) << 3) | (1 << 19), 0, 3);
  return header;
}

/** Whether the text comes out with another filling as well. */
async function refersToGap(form: Form, text: Buffer, filler: string): Promise<boolean> {
  const other =
    randomBytes(filler.length)
      .toString("hex")
      .slice(0, filler.length - ENDING) + form.ending;
  const expected = fill(plainForm(text, filler), other).bytes;
  const unpacked = await decompress(fill(form, other).bytes, { maxOutputLength: text.length }).catch(() => undefined);
  return unpacked?.equals(expected) ?? false;
}

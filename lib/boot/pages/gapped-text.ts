import type { Transform } from "node:stream";

// A page differs between two answers only in its nonce, so it is encoded once, with gaps for the nonce. An answer is a copy of it with the
// gaps filled. `gapped-gzip.ts` and `gapped-brotli.ts` say how a compressed text can have gaps.

/** Bytes with gaps of `width` bytes, which begin at `gaps`. */
export type Form = {
  bytes: Buffer;
  gaps: readonly number[];
  width: number;
  /** With what every filling has to end. */
  ending?: string;
  /** Changes what depends on the filling besides the gaps. */
  finish?(bytes: Buffer, filling: Buffer): void;
  /** A copy that has been sent, and only needs another filling. */
  spare?: Buffer | undefined;
};

/** Bytes to send. `release` is called when nobody needs them any more; they may then change. */
export type Filled = { bytes: Buffer; release(): void };

/** A text that has gaps where `filler` stands. It keeps the text, and changes nothing in it. */
export function plainForm(text: Buffer, filler: string): Form {
  return { bytes: text, gaps: gapsBetween(split(text, filler), filler.length), width: filler.length };
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

/** Where the gaps are if they stand between these parts. */
export function gapsBetween(parts: readonly Buffer[], width: number): number[] {
  let length = 0;
  return parts.slice(0, -1).map((part) => {
    const gap = length + part.length;
    length = gap + width;
    return gap;
  });
}

/** The form with `filling` in its gaps. @throws RangeError if it does not fit */
export function fill(form: Form, filling: string): Filled {
  const between = Buffer.from(filling, "latin1");
  if (between.length !== form.width)
    throw new RangeError(`The filling must have ${form.width} bytes, and has ${between.length}.`);
  if (!filling.endsWith(form.ending ?? "")) throw new RangeError(`The filling must end with "${form.ending}".`);
  // A copy of its own for each answer that is on its way; nearly always the last one has gone, and its copy is still in the processor's cache.
  const bytes = form.spare ?? Buffer.from(form.bytes);
  form.spare = undefined;
  for (const gap of form.gaps) bytes.set(between, gap);
  form.finish?.(bytes, between);
  const release = () => {
    form.spare = bytes;
  };
  return { bytes, release };
}

/** What a compressor that flushes after each write makes of some bytes one after the other. Each result ends at a byte boundary. */
export async function compressEach(compressor: Transform & { close(): void }, given: Buffer[]): Promise<Buffer[]> {
  let made: Buffer[] = [];
  // It stops when nobody takes what it has made, so it is taken while it works.
  compressor.on("data", (chunk: Buffer) => made.push(chunk));
  // Whoever writes is told as well.
  compressor.on("error", () => undefined);
  const results: Buffer[] = [];
  try {
    for (const bytes of given) {
      await new Promise<void>((done, fail) => {
        compressor.write(bytes, (error) => (error ? fail(error) : done()));
      });
      while (compressor.read() !== null);
      results.push(Buffer.concat(made));
      made = [];
    }
    return results;
  } finally {
    compressor.close();
  }
}

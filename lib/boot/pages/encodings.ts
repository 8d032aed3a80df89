import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** How an answer's body is sent. */
export type Encoding = "br" | "gzip" | "identity";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** For answers that are compressed while somebody waits: as quick as gzip at its usual level, and smaller. */
const QUALITY = 8;
/** Most pages fit into the smaller window; with the larger one Brotli takes four times as long. */
const WINDOW_BITS = { small: 18, large: 22 } as const;
/** Compressing smaller bodies saves nothing. */
export const LEAST_BYTES = 1_000;

/** The encodings that a client accepts, the smallest first. */
export function acceptedEncodings(accepted: string | string[] | undefined): Encoding[] {
  return [...(["br", "gzip"] as const).filter((each) => acceptsEncoding(accepted, each)), "identity"];
}

export async function compressed(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "identity") return body;
  if (encoding === "gzip") return deflate(body);
  const { small, large } = WINDOW_BITS;
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: body.length < 2 ** small ? small : large,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

/** Whether a client accepts an encoding, by its `Accept-Encoding` (RFC 9110, 12.5.3). One that is not named there is not accepted. */
export function acceptsEncoding(accepted: string | string[] | undefined, encoding: keyof typeof NAMED): boolean {
  return accepted !== undefined && NAMED[encoding].test(String(accepted));
}

const named = (name: string) =>
  new RegExp(`(?:^|,)\\s*${name}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[^,]*)?(?:,|$)`, "i");
const NAMED = { br: named("br"), gzip: named("gzip") };

import { fromBase64, toBase64 } from "../bytes.ts";
import { type Checkpoint, parseCheckpoint, parseCount } from "./checkpoint.ts";
import type { Hash } from "./merkle.ts";

/*
 * Offline proofs of inclusion: c2sp.org/tlog-proof@v1.
 */

const HEADER = "c2sp.org/tlog-proof@v1";
/** No tree of up to 2^63 leaves needs more. */
const MOST_PROOF_LINES = 63;

/** `checkpointText` is the signed note, verbatim. `extra` is not authenticated by anything. */
export type LogProof = {
  index: number;
  hashes: Hash[];
  checkpoint: Checkpoint;
  checkpointText: string;
  extra?: Uint8Array;
};

export function formatProof({ index, hashes, checkpointText }: Omit<LogProof, "checkpoint" | "extra">): string {
  return `${[HEADER, `index ${index}`, ...hashes.map(toBase64)].join("\n")}\n\n${checkpointText}`;
}

/** Undefined unless the text is a proof, to the letter. Nothing in it has been verified. */
export function parseProof(text: string): LogProof | undefined {
  const end = text.indexOf("\n\n");
  if (end < 0) return undefined;
  const checkpointText = text.slice(end + 2);
  const checkpoint = parseCheckpoint(checkpointText);
  const [header, ...lines] = text.slice(0, end).split("\n");
  if (header !== HEADER || !checkpoint) return undefined;
  const extra = lines[0]?.startsWith("extra ") ? fromBase64(lines.shift()?.slice("extra ".length) ?? "!") : null;
  if (extra === undefined) return undefined;
  const index = parseCount(/^index (.*)$/.exec(lines.shift() ?? "")?.[1] ?? "");
  const hashes = parseHashes(lines);
  if (index === undefined || !hashes) return undefined;
  return { index, hashes, checkpoint, checkpointText, ...(extra ? { extra } : {}) };
}

/** One SHA-256 hash in base64 on each line. */
export function parseHashes(lines: readonly string[]): Hash[] | undefined {
  if (lines.length > MOST_PROOF_LINES) return undefined;
  const hashes: Hash[] = [];
  for (const line of lines) {
    const hash = fromBase64(line);
    if (hash?.length !== 32) return undefined;
    hashes.push(hash);
  }
  return hashes;
}

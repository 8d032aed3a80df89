import { toBase64 } from "../bytes.ts";
import { type Checkpoint, parseCheckpoint, parseCount } from "./checkpoint.ts";
import type { Hash } from "./merkle.ts";
import { parseHashes } from "./proof.ts";

/*
 * What a log sends to a witness: c2sp.org/tlog-witness, `add-checkpoint`.
 */

/** `proof` leads from `oldSize` to the checkpoint. */
export type AddCheckpoint = { oldSize: number; proof: Hash[]; checkpointText: string };

export function formatAddCheckpoint({ oldSize, proof, checkpointText }: AddCheckpoint): string {
  return `${[`old ${oldSize}`, ...proof.map(toBase64)].join("\n")}\n\n${checkpointText}`;
}

/** Undefined unless the body is in this form. Nothing in it has been verified. */
export function parseAddCheckpoint(body: string): (AddCheckpoint & { checkpoint: Checkpoint }) | undefined {
  const end = body.indexOf("\n\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = body.slice(0, end).split("\n");
  const oldSize = parseCount(/^old (.*)$/.exec(first)?.[1] ?? "");
  const proof = parseHashes(lines);
  const checkpointText = body.slice(end + 2);
  const checkpoint = parseCheckpoint(checkpointText);
  if (oldSize === undefined || !proof || !checkpoint) return undefined;
  return { oldSize, proof, checkpointText, checkpoint };
}

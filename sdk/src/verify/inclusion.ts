import { fromHex } from "../bytes.ts";
import { type Checkpoint, cosignedAt, openCheckpoint } from "../tlog/checkpoint.ts";
import { type Hash, hashLeaf, verifyInclusion } from "../tlog/merkle.ts";
import type { Vkey } from "../tlog/note.ts";
import { type LogProof, parseProof } from "../tlog/proof.ts";

export type Inclusion = {
  /** The checkpoint that all proofs lead to; undefined if there is no proof, or the checkpoint is not the key's. */
  checkpoint: Checkpoint | undefined;
  /** How many statements are proved to be in the log; those after them wait for a checkpoint. */
  included: number;
  problems: string[];
  /** The statements whose proof does not hold, by their place from 0. */
  broken: ReadonlySet<number>;
};

/**
 * Checks that each statement, given by its hash, is in the tree of the one checkpoint that the key has signed.
 * @param key undefined for a log that has signed nothing yet
 */
export async function checkInclusion(
  hashes: string[],
  proofs: (string | null)[],
  key: Vkey | undefined,
): Promise<Inclusion> {
  const problems: string[] = [];
  const waiting = proofs.indexOf(null);
  const included = waiting === -1 ? proofs.length : waiting;
  if (proofs.slice(included).some((proof) => proof !== null))
    problems.push(`Entry ${included + 1} has no proof, but one after it does.`);
  const parsed = proofs.slice(0, included).map((text) => parseProof(text ?? ""));
  const [first] = parsed;
  const broken = new Set<number>();
  if (included === 0) return { checkpoint: undefined, included, problems, broken };
  const none = (problem: string): Inclusion => ({
    checkpoint: undefined,
    included: 0,
    problems: [...problems, problem],
    broken: new Set(parsed.keys()),
  });
  if (!key) return none("There are proofs, but the log has no key.");
  const checkpoint = first && (await openCheckpoint(first.checkpointText, key));
  if (!checkpoint) return none(noCheckpoint(first, key));
  let last = -1;
  parsed.forEach((proof, index) => {
    const problem = problemOf(proof, hashes[index] ?? "", checkpoint, first.checkpointText);
    const order = proof && proof.index <= last ? "appears in the log before the entry it follows." : undefined;
    if (problem ?? order) {
      problems.push(`Entry ${index + 1} ${problem ?? order}`);
      broken.add(index);
    }
    last = proof?.index ?? last;
  });
  return { checkpoint, included, problems, broken };
}

function noCheckpoint(proof: LogProof | undefined, key: Vkey): string {
  if (!proof) return "The first proof is not a c2sp.org/tlog-proof@v1 text.";
  return proof.checkpoint.origin === key.name
    ? `The checkpoint is not signed with the key of ${key.name}.`
    : `The checkpoint is of another log: ${proof.checkpoint.origin}.`;
}

function problemOf(proof: LogProof | undefined, hash: string, { size, root }: Checkpoint, checkpointText: string) {
  if (!proof || proof.extra) return "has a proof that is not in the expected form.";
  if (proof.checkpointText !== checkpointText) return "is proved against another checkpoint than the first.";
  const entry = fromHex(hash.slice("sha256:".length)) as Hash;
  if (!verifyInclusion(hashLeaf(entry), proof.index, size, proof.hashes, root))
    return "is not in the log in this form: it or its proof has been changed.";
  return undefined;
}

/** The witnesses of these whose cosignature the checkpoint has, and when they gave it (milliseconds since 1970). */
export async function findWitnesses({ note }: Checkpoint, keys: Vkey[]): Promise<{ name: string; at: number }[]> {
  const found: { name: string; at: number }[] = [];
  for (const key of keys) {
    const seconds = await cosignedAt(note, key);
    if (seconds !== undefined) found.push({ name: key.name, at: seconds * 1_000 });
  }
  return found;
}

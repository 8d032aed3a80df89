import { concat, equal } from "../bytes.ts";
import { sha256, sha256Into } from "../sha256.ts";

/*
 * Merkle trees as in RFC 6962, section 2.1. Sizes and indices are safe integers: bit operators would cut them at 32 bits.
 */

export type Hash = Uint8Array<ArrayBuffer>;
/** The leaves from `start` to before `end`. */
export type Range = { start: number; end: number };
/** The complete subtree of 2^height leaves, `index` counting subtrees of that height from the left. */
export type Node = { height: number; index: number };

export const EMPTY_ROOT: Hash = sha256(new Uint8Array());
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const half = (count: number) => Math.floor(count / 2);
const isOdd = (count: number) => count % 2 === 1;

export function hashLeaf(entry: Uint8Array): Hash {
  return sha256(concat(LEAF, entry));
}

export function hashNode(left: Uint8Array, right: Uint8Array): Hash {
  return sha256(concat(NODE, left, right));
}

/** The hashes of the nodes above hashes that lie one after another, each over two of them; a last one without a neighbour has none yet. */
export function parents(hashes: Uint8Array): Hash {
  const pairs = Math.floor(hashes.length / 64);
  const above = new Uint8Array(pairs * 32);
  const message = new Uint8Array(65);
  message.set(NODE);
  for (let pair = 0; pair < pairs; pair += 1) {
    message.set(hashes.subarray(pair * 64, pair * 64 + 64), 1);
    sha256Into(message, above, pair * 32);
  }
  return above;
}

/** The largest power of two below the count, which is at least 2. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The complete subtrees that make up a range, from the left. The range starts at a multiple of the largest of them. */
export function nodesOf({ start, end }: Range): Node[] {
  const nodes: Node[] = [];
  for (let at = start; at < end; ) {
    let height = 0;
    while (2 ** (height + 1) <= end - at && at % 2 ** (height + 1) === 0) height += 1;
    nodes.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return nodes;
}

/** The hash of a range, from the hashes of its nodes. */
export function foldNodes(hashes: readonly Hash[]): Hash {
  const last = hashes.at(-1);
  if (!last) return EMPTY_ROOT;
  return hashes.slice(0, -1).reduceRight((right, left) => hashNode(left, right), last);
}

/** The hash over all given hashes as the leaves of one tree. */
export function foldTree(hashes: readonly Hash[]): Hash {
  if (hashes.length === 0) return EMPTY_ROOT;
  if (hashes.length === 1) return hashes[0] as Hash;
  const middle = split(hashes.length);
  return hashNode(foldTree(hashes.slice(0, middle)), foldTree(hashes.slice(middle)));
}

/** The ranges whose hashes prove that a leaf is in the tree of that size, from the leaf's sibling up. */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  return ranges;
}

/** The ranges whose hashes prove that the tree of size `older` is the beginning of the tree of that size. */
export function consistencyRanges(older: number, size: number): Range[] {
  if (older === 0 || older === size) return [];
  const ranges: Range[] = [];
  let start = 0;
  let end = size;
  while (older !== end) {
    const middle = start + split(end - start);
    if (older <= middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  // The older tree itself is known to the verifier if it is a whole left part.
  if (start !== 0) ranges.unshift({ start, end });
  return ranges;
}

/** Whether the proof leads from the leaf to the root (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  leaf: Hash,
  index: number,
  size: number,
  proof: readonly Hash[],
  root: Uint8Array,
): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let position = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(position) || position === last) {
      hash = hashNode(sibling, hash);
      while (!isOdd(position) && position !== 0) {
        position = half(position);
        last = half(last);
      }
    } else {
      hash = hashNode(hash, sibling);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 && equal(hash, root);
}

/** Whether the proof shows that the newer tree extends the older one (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(
  older: { size: number; root: Uint8Array },
  newer: { size: number; root: Uint8Array },
  proof: readonly Hash[],
): boolean {
  const sizes = [older.size, newer.size];
  if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 0) || older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && equal(older.root, newer.root);
  if (older.size === 0) return proof.length === 0 && equal(older.root, EMPTY_ROOT);
  let position = older.size - 1;
  let last = newer.size - 1;
  while (isOdd(position)) {
    position = half(position);
    last = half(last);
  }
  const path = [...proof];
  const first = position === 0 ? (older.root as Hash) : path.shift();
  if (!first) return false;
  let olderHash = first;
  let newerHash = first;
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(position) || position === last) {
      olderHash = hashNode(sibling, olderHash);
      newerHash = hashNode(sibling, newerHash);
      while (!isOdd(position) && position !== 0) {
        position = half(position);
        last = half(last);
      }
    } else {
      newerHash = hashNode(newerHash, sibling);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 && equal(olderHash, older.root) && equal(newerHash, newer.root);
}

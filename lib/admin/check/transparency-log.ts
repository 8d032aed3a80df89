import type { QueryFn } from "#lib/db/connection.ts";
import { readState, type SignedState } from "#lib/record/log/signed-state.ts";
import { SigningRefused } from "#lib/record/log/signing-setup.ts";
import { rootAt, type Tree } from "#lib/record/log/tree.ts";
import { equal } from "#sdk/bytes.ts";
import { openCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { EMPTY_ROOT, foldNodes, type Hash, hashLeaf, hashNode } from "#sdk/tlog/merkle.ts";
import { parseVkey } from "#sdk/tlog/note.ts";
import { type Finding, finding } from "./finding.ts";

/** Leaves that are read at once. */
const BATCH = 5_000;

type Log = Tree & { note: string | null };

/**
 * Each transparency log is computed again from its statements. Its root must be the one that its tiles give, the one that was signed
 * last at that size, and what the state beside the key says was signed.
 */
export async function checkLogs(query: QueryFn): Promise<Finding> {
  const logs = await query<Log>(
    `SELECT t.id, t.origin, t.vkey, t.size::float8 AS size, t.refusal, c.note
     FROM log_trees t LEFT JOIN log_checkpoints c ON c.tree = t.id ORDER BY t.id`,
  );
  const problems = (
    await query<{ problem: string }>(
      `SELECT format('The log entry of event %s does not have the hash that it was added with.', event_seq) AS problem
       FROM log_statements WHERE statement IS NOT NULL AND sha256(convert_to(statement, 'UTF8')) <> hash LIMIT 5`,
    )
  ).map(({ problem }) => problem);
  for (const log of logs) problems.push(...(await problemsOf(query, log)));
  return finding(
    "log",
    logs.reduce((sum, { size }) => sum + size, 0),
    problems,
  );
}

async function problemsOf(query: QueryFn, log: Log): Promise<string[]> {
  const key = log.vkey === null ? undefined : parseVkey(log.vkey);
  const checkpoint = log.note !== null && key ? await openCheckpoint(log.note, key) : undefined;
  if ((log.note !== null || key) && !checkpoint) return [`The checkpoint of ${log.origin} is not signed by its key.`];
  const state = stateOf(log);
  const wanted = [log.size, checkpoint?.size ?? 0, state?.size ?? 0];
  const roots = await computeRoots(query, log.id, new Set(wanted));
  const rootOf = (size: number) => roots.get(size);
  const problems: string[] = [];
  if (!rootOf(log.size)) problems.push(`${log.origin} says that it has ${log.size} entries, but some are missing.`);
  else if (!equal(rootOf(log.size) as Hash, log.size ? await rootAt(query, log.id, log.size) : EMPTY_ROOT))
    problems.push(`The tiles of ${log.origin} do not give the root of its ${log.size} entries.`);
  if (checkpoint && !same(rootOf(checkpoint.size), checkpoint.root))
    problems.push(`${log.origin} does not contain the ${checkpoint.size} entries that its checkpoint was signed for.`);
  if (state && !same(rootOf(state.size), state.root))
    problems.push(`${log.origin} does not contain the ${state.size} entries that this installation signed.`);
  return problems;
}

const same = (one: Hash | undefined, other: Hash) => one !== undefined && equal(one, other);

/** What was signed last according to the data folder; undefined if it doesn't know. */
function stateOf(log: Log): SignedState | undefined {
  try {
    return readState(log);
  } catch (error) {
    if (error instanceof SigningRefused && error.isUnset) return undefined;
    throw error;
  }
}

/** The roots at these sizes, from the statements; without those that the log does not reach. */
async function computeRoots(query: QueryFn, tree: number, sizes: ReadonlySet<number>): Promise<Map<number, Hash>> {
  const roots = new Map<number, Hash>([[0, EMPTY_ROOT]]);
  // The complete subtrees so far, largest first: one hash for each bit of the size.
  const subtrees: { height: number; hash: Hash }[] = [];
  let size = 0;
  for (;;) {
    const leaves = await query<{ leaf: number; hash: Buffer }>(
      `SELECT l.leaf::float8 AS leaf, s.hash FROM log_leaves l JOIN log_statements s ON s.event_seq = l.event_seq
       WHERE l.tree = $1 AND l.leaf >= $2 ORDER BY l.leaf LIMIT ${BATCH}`,
      [tree, size],
    );
    for (const { leaf, hash } of leaves) {
      if (leaf !== size) return roots;
      let node = { height: 0, hash: hashLeaf(new Uint8Array(hash)) };
      for (let left = subtrees.at(-1); left?.height === node.height; left = subtrees.at(-1)) {
        subtrees.pop();
        node = { height: node.height + 1, hash: hashNode(left.hash, node.hash) };
      }
      subtrees.push(node);
      size += 1;
      if (sizes.has(size)) roots.set(size, foldNodes(subtrees.map((subtree) => subtree.hash)));
    }
    if (leaves.length < BATCH) return roots;
  }
}

import type { QueryFn } from "#lib/db/connection.ts";
import { inTransaction } from "./connection.ts";
import { addLeaves, type Entry, lockTree, readTree, SETTLES, type Tree } from "./tree.ts";

/** Statements that are entered at once. */
const BATCH = 5_000;

type Restarted = { origin: string; previous: string; statements: number };

/**
 * Begins another log under a new origin (`…/log/2`) and enters every statement again. The old log stays readable; nothing more is added
 * to it. The new one is signed with a key of its own, by the running service or the next start.
 * @param record writes what was done, in the same transaction
 */
export function restartLog(record: (query: QueryFn, restarted: Restarted) => Promise<void>): Promise<Restarted> {
  return inTransaction(async (query) => {
    const old = await lockTree(query);
    if (!old) throw new Error("There is no log yet: the first start of the service begins it.");
    const [first] = await query<{ origin: string }>("SELECT origin FROM log_trees WHERE id = 1");
    const origin = `${first?.origin ?? old.origin}/${old.id + 1}`;
    await query("INSERT INTO log_trees (id, origin) VALUES ($1, $2)", [old.id + 1, origin]);
    const tree = await readTree(query);
    if (!tree) throw new Error("the new log is missing");
    const statements = await enterAll(query, tree);
    const restarted = { origin, previous: old.origin, statements };
    await record(query, restarted);
    return restarted;
  });
}

/** In the order of their events, so that a chain's statements follow each other. */
async function enterAll(query: QueryFn, tree: Tree): Promise<number> {
  let { size, position } = tree;
  for (;;) {
    const entries = await query<Entry & { position: number }>(
      `SELECT s.event_seq AS "eventSeq", s.hash, ${SETTLES} AS settles, p.position::float8 AS position
       FROM event_positions p JOIN log_statements s ON s.event_seq = p.seq
       WHERE p.position > $1 ORDER BY p.position LIMIT ${BATCH}`,
      [position],
    );
    if (entries.length === 0) return size;
    const last = entries.at(-1)?.position ?? position;
    await addLeaves(query, { ...tree, size }, entries, last);
    size += entries.length;
    position = last;
  }
}

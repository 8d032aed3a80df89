import { beginLog } from "./begin.ts";
import { inTransaction } from "./connection.ts";
import { addLeaves, type Entry, lockTree } from "./tree.ts";

/** The most positions that are looked at in one transaction. */
const BATCH = 10_000;

/**
 * Makes statements leaves of the current log, in the order of their events' positions, up to some thousand positions beyond the last
 * one that was looked at. Any process may do this at any time: they take turns.
 * @returns whether there are more
 */
export async function enterStatements(): Promise<boolean> {
  await beginLog();
  return inTransaction(async (query) => {
    const tree = await lockTree(query);
    const [feed] = await query<{ last: number }>("SELECT last_position::float8 AS last FROM event_feed");
    if (!tree || !feed || feed.last <= tree.position) return false;
    const position = Math.min(feed.last, tree.position + BATCH);
    // What the version before this one entered did not move the position.
    const entries = await query<Entry>(
      `SELECT s.event_seq AS "eventSeq", s.hash
       FROM event_positions p, LATERAL (SELECT event_seq, hash FROM log_statements WHERE event_seq = p.seq OFFSET 0) s
       WHERE p.position > $2 AND p.position <= $3
         AND (SELECT l.leaf FROM log_leaves l WHERE l.tree = $1 AND l.event_seq = p.seq) IS NULL
       ORDER BY p.position`,
      [tree.id, tree.position, position],
    );
    await addLeaves(query, tree, entries, position);
    return position < feed.last;
  });
}

import { firstOrigin } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";
import { inTransaction } from "./connection.ts";
import { addLeaves, type Entry, lockTree, SETTLES } from "./tree.ts";

const begin = statement("log.begin", {}, "INSERT INTO log_trees (id, origin) VALUES (1, $1) ON CONFLICT DO NOTHING");

/** Begins the log if there is none. */
export async function beginLog(): Promise<void> {
  await begin(firstOrigin());
}

/** The most positions that are looked at in one transaction. */
const BATCH = 10_000;

/**
 * Makes statements leaves of the current log, in the order of their events' positions, up to some thousand positions beyond the last
 * one that was looked at. The process that places events does this regularly, and each process that signs does so before it signs; they take turns.
 * @returns whether there are more
 */
export async function enterStatements(): Promise<boolean> {
  await beginLog();
  return inTransaction(async (query) => {
    const tree = await lockTree(query);
    if (!tree || tree.head <= tree.position) return false;
    const position = Math.min(tree.head, tree.position + BATCH);
    // What the version before this one entered did not move the position, but every leaf follows those of earlier positions.
    const entries = await query<Entry>(
      `SELECT s.event_seq AS "eventSeq", s.hash, ${SETTLES} AS settles
       FROM event_positions p, LATERAL (SELECT event_seq, hash, statement FROM log_statements WHERE event_seq = p.seq OFFSET 0) s
       WHERE p.position > $1 AND p.position <= $2 AND p.position > coalesce((
         SELECT last.position FROM log_leaves l JOIN event_positions last ON last.seq = l.event_seq WHERE l.tree = $3 AND l.leaf = $4
       ), 0)
       ORDER BY p.position`,
      [tree.position, position, tree.id, tree.size - 1],
    );
    await addLeaves(query, tree, entries, position);
    return position < tree.head;
  });
}

import { addLeaves, lockTree, type Query } from "./tree.ts";

/** The statements of events that have a position, as leaves of the current log. Called in the sequencer's transaction. */
export async function enterStatements(query: Query, batch: { first: number; last: number }): Promise<void> {
  const entries = await query<{ eventSeq: string; hash: Buffer }>(
    `SELECT s.event_seq AS "eventSeq", s.hash FROM event_positions p JOIN log_statements s ON s.event_seq = p.seq
     WHERE p.position BETWEEN $1 AND $2 ORDER BY p.position`,
    [batch.first, batch.last],
  );
  if (entries.length === 0) return;
  const tree = await lockTree(query);
  if (!tree) throw new Error("There are statements, but there is no log.");
  await addLeaves(query, tree, entries);
}

import assert from "node:assert/strict";
import { query } from "#lib/record/log/connection.ts";
import { readTiles } from "#lib/record/log/tree.ts";
import { type Checkpoint, openCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { consistencyRanges, verifyConsistency } from "#sdk/tlog/merkle.ts";
import { parseVkey } from "#sdk/tlog/note.ts";

/** The checkpoint that is published now, if its signature is right. */
export async function published(): Promise<Checkpoint | undefined> {
  const [row] = await query<{ note: string; vkey: string }>(
    "SELECT c.note, t.vkey FROM log_checkpoints c JOIN log_trees t ON t.id = c.tree",
  );
  const key = parseVkey(row?.vkey ?? "");
  return row && key ? openCheckpoint(row.note, key) : undefined;
}

/** What somebody sees of a log who reads its checkpoint again and again. */
export class LogHistory {
  readonly seen: Checkpoint[] = [];

  async note(): Promise<void> {
    const checkpoint = await published();
    if (checkpoint && checkpoint.size !== this.seen.at(-1)?.size) this.seen.push(checkpoint);
  }

  /** Each checkpoint extends the one before it, every statement is one leaf, and along a chain the leaves rise. */
  async check(): Promise<void> {
    assert.ok(this.seen.length >= 2, `${this.seen.length} checkpoints were seen`);
    for (const [at, newer] of this.seen.entries()) {
      const older = this.seen[at - 1];
      if (!older) continue;
      const ranges = consistencyRanges(older.size, newer.size);
      const proof = (await readTiles(query, 1, ranges)).hashesOf(ranges);
      assert.ok(verifyConsistency(older, newer, proof), `${older.size} to ${newer.size}`);
    }
    const [row] = await query<{ statements: number }>(
      `SELECT (SELECT count(*)::int FROM log_statements) AS statements, (SELECT count(*)::int FROM log_leaves) AS leaves,
         (SELECT size::int FROM log_trees) AS size,
         (SELECT count(*)::int FROM log_statements s JOIN log_leaves l USING (event_seq)
           JOIN log_statements n ON n.chain = s.chain AND n.n = s.n + 1 JOIN log_leaves m ON m.event_seq = n.event_seq
           WHERE m.leaf <= l.leaf) AS falling`,
    );
    assert.deepEqual(row, {
      statements: row?.statements,
      leaves: row?.statements,
      size: row?.statements,
      falling: 0,
    });
  }
}

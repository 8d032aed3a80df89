import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { parseCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { formatProof } from "#sdk/tlog/proof.ts";
import { beginLog } from "../log/enter.ts";
import { type Leaf, proveLeaves } from "../log/prove.ts";
import { readLogs } from "../log/read.ts";
import type { Evidence } from "./schema.ts";

/** Statements per query, and per piece of an answer. It bounds memory, whatever the length of the chain. */
export const BATCH = 500;

/** The log that proofs lead to, as it was signed last. */
export type SignedLog = { id: number; note: string | null; shown: Evidence["log"] };

/** The current log, which begins now if there is none yet. */
export async function readSignedLog(): Promise<SignedLog> {
  let known = await readLogs();
  if (known.length === 0) {
    await beginLog();
    known = await readLogs();
  }
  const [current, ...earlier] = known;
  if (!current) throw new Error("the log did not begin");
  const { id, origin, vkey, signed } = current;
  const previous = earlier.reverse().map((log) => ({ origin: log.origin, vkey: log.vkey }));
  return { id, note: signed?.note ?? null, shown: { origin, vkey, ...(previous.length > 0 ? { previous } : {}) } };
}

const STATEMENT = {
  n: db.integer,
  hash: db.bytea,
  statement: db.nullable(db.text),
  textSalt: db.nullable(db.text),
  leaf: db.nullable(db.bigint),
};
export type StatementRow = db.RowOf<typeof STATEMENT>;

const statementsOf = statement(
  "evidence.statements",
  STATEMENT,
  `SELECT s.n, s.hash, s.statement, s.text_salt AS "textSalt", l.leaf
   FROM log_statements s LEFT JOIN log_leaves l ON l.tree = $2 AND l.event_seq = s.event_seq
   WHERE s.chain = $1 AND s.n > $3 ORDER BY s.n LIMIT ${BATCH}`,
);

/**
 * The statements of a chain, oldest first. Their leaves are read after the log's checkpoint: those that have come since are not in
 * it.
 */
export async function* readChain(chain: string, { id }: SignedLog): AsyncGenerator<StatementRow[]> {
  let last = 0;
  for (;;) {
    const rows = await statementsOf(chain, id, last);
    yield rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.n ?? last;
  }
}

/** What a proof starts from: where a statement is in the log, if it is, and its hash. */
export type Entered = Pick<StatementRow, "leaf" | "hash">;

/** The proofs of statements by their leaves, in batches; null for those that wait for a checkpoint. */
export async function* proofsOf(entered: readonly Entered[], log: SignedLog): AsyncGenerator<(string | null)[]> {
  for (let at = 0; at < entered.length; at += BATCH) yield await proveBatch(entered.slice(at, at + BATCH), log);
}

async function proveBatch(entered: readonly Entered[], { id, note }: SignedLog): Promise<(string | null)[]> {
  const checkpoint = note === null ? undefined : parseCheckpoint(note);
  if (note === null || !checkpoint) return entered.map(() => null);
  const leafOf = ({ leaf, hash }: Entered): Leaf | undefined =>
    leaf !== null && Number(leaf) < checkpoint.size ? { index: Number(leaf), entry: hash } : undefined;
  const leaves = entered.map(leafOf);
  const proofs = (
    await proveLeaves(
      id,
      checkpoint,
      leaves.filter((leaf) => leaf !== undefined),
    )
  ).values();
  return leaves.map((leaf) =>
    leaf ? formatProof({ index: leaf.index, hashes: proofs.next().value ?? [], checkpointText: note }) : null,
  );
}

import * as db from "#lib/db/columns.ts";
import { hashWith } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";
import { showAgent } from "#lib/identity/read.ts";
import type { Context, PublicContext } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { sideOf } from "#lib/tasks/dispute-parties.ts";
import { findTask, type TaskRow } from "#lib/tasks/row.ts";
import { sightOf } from "#lib/tasks/visibility.ts";
import { inclusionRanges, type Range } from "#sdk/tlog/merkle.ts";
import { formatProof } from "#sdk/tlog/proof.ts";
import { beginLog } from "../log/begin.ts";
import { query } from "../log/connection.ts";
import { readTiles } from "../log/tree.ts";
import type { Evidence } from "./schema.ts";

/** A chain with more statements is not given out in one answer. Only claiming and releasing again and again makes one. */
const MOST_STATEMENTS = 2_000;

const logs = statement(
  "evidence.logs",
  {
    id: db.integer,
    origin: db.text,
    vkey: db.nullable(db.text),
    size: db.nullable(db.bigint),
    note: db.nullable(db.text),
  },
  `SELECT t.id, t.origin, t.vkey, c.size, c.note FROM log_trees t LEFT JOIN log_checkpoints c ON c.tree = t.id ORDER BY t.id`,
);

const STATEMENT = {
  n: db.integer,
  hash: db.bytea,
  statement: db.nullable(db.text),
  textSalt: db.nullable(db.text),
  leaf: db.nullable(db.bigint),
};
type StatementRow = db.RowOf<typeof STATEMENT>;

const statementsOf = statement(
  "evidence.statements",
  STATEMENT,
  `SELECT s.n, s.hash, s.statement, s.text_salt AS "textSalt", l.leaf
   FROM log_statements s LEFT JOIN log_leaves l ON l.tree = $2 AND l.event_seq = s.event_seq
   WHERE s.chain = $1 ORDER BY s.n LIMIT ${MOST_STATEMENTS + 1}`,
);

/** Terms are frozen, so they are what was proposed. */
const termsOf = statement(
  "evidence.terms",
  { id: db.text, canonical: db.text },
  "SELECT id, terms_canonical AS canonical FROM contracts WHERE task_id = $1 ORDER BY created_at, id",
);

/**
 * The evidence of a task: its statements with their proofs, and for its parties the texts that belong to them.
 * @throws ApiError not_found where the task itself is not found, state_conflict (too many statements)
 */
export async function taskEvidence(ctx: Context, input: { task_id: string }) {
  const task = await findTask(input.task_id);
  const sight = task ? sightOf(task, ctx.actor, ctx.clock.now()) : "hidden";
  if (!task || sight === "hidden") throw notFound();
  const { file, rows } = await readChain(ctx, task.id);
  if (sight !== "party") return asFile(file);
  const said = await disputeTexts(ctx.actor, task.id, rows);
  return asFile({
    ...file,
    attachments: await attachmentsOf(task, rows),
    ...(said.length > 0 ? { dispute_statements: said } : {}),
  });
}

/**
 * The history of an identity's domain, as far as the log goes back.
 * @throws ApiError not_found where the identity's public profile is not found, state_conflict (too many statements)
 */
export async function agentEvidence(ctx: PublicContext, input: { public_id: string }) {
  await showAgent(ctx, input);
  return asFile((await readChain(ctx, input.public_id)).file);
}

function asFile(evidence: Evidence): Reply<Evidence> {
  return new Reply(200, evidence, { "Content-Disposition": `attachment; filename="evidence-${evidence.chain}.json"` });
}

async function readChain(ctx: Context, chain: string): Promise<{ file: Evidence; rows: StatementRow[] }> {
  let known = await logs();
  if (known.length === 0) {
    await beginLog();
    known = await logs();
  }
  const current = known.at(-1);
  if (!current) throw new Error("the log did not begin");
  // Leaves are read after the checkpoint: those that have come since are not in it.
  const rows = await statementsOf(chain, current.id);
  if (rows.length > MOST_STATEMENTS)
    throw new ApiError(
      "state_conflict",
      `This chain has more than ${MOST_STATEMENTS} statements, too many for one file.`,
    );
  const { origin, vkey } = current;
  const previous = known.slice(0, -1).map((log) => ({ origin: log.origin, vkey: log.vkey }));
  const file: Evidence = {
    type: "guildhall.evidence/1",
    log: { origin, vkey, ...(previous.length > 0 ? { previous } : {}) },
    chain,
    statements: rows.map(({ n, hash, statement: text }) =>
      text === null ? { n, erased: `sha256:${hash.toString("hex")}` } : JSON.parse(text),
    ),
    proofs: await proofsOf(rows, current),
    attachments: { terms: {}, brief: null, result: null },
    made_at: ctx.clock.now().toISOString(),
  };
  return { file, rows };
}

type Log = { id: number; size: string | null; note: string | null };

async function proofsOf(rows: StatementRow[], { id, size: signed, note }: Log): Promise<(string | null)[]> {
  const size = Number(signed ?? 0);
  const paths = rows.map(({ leaf }): { index: number; ranges: Range[] } | null => {
    const index = leaf === null ? size : Number(leaf);
    return index < size ? { index, ranges: inclusionRanges(index, size) } : null;
  });
  const tiles = await readTiles(
    query,
    id,
    paths.flatMap((path) => path?.ranges ?? []),
  );
  return paths.map((path) =>
    path && note !== null
      ? formatProof({ index: path.index, hashes: tiles.hashesOf(path.ranges), checkpointText: note })
      : null,
  );
}

const saidIn = statement(
  "evidence.dispute_statements",
  { disputeId: db.text, text: db.text, providerId: db.nullable(db.text), requesterId: db.text },
  `SELECT s.dispute_id AS "disputeId", s.statement AS text, d.provider_id AS "providerId", t.requester_id AS "requesterId"
   FROM disputes d JOIN dispute_statements s ON s.dispute_id = d.id JOIN tasks t ON t.id = d.task_id
   WHERE d.task_id = $1 ORDER BY d.created_at, d.id, s.number`,
);

/** What was said in the disputes that this reader may read, found by the hashes in the log's statements. */
async function disputeTexts(
  actor: Context["actor"],
  taskId: string,
  rows: StatementRow[],
): Promise<NonNullable<Evidence["dispute_statements"]>> {
  const stated = wholeStatements(rows).filter(({ event, textSalt }) => event === "dispute.statement" && textSalt);
  if (stated.length === 0) return [];
  const said = (await saidIn(taskId)).filter(
    (each) => actor.kind === "administrator" || (actor.kind === "service" && sideOf(each, actor.id) !== undefined),
  );
  return stated.flatMap(({ n, facts, textSalt }) => {
    const salt = textSalt ?? "";
    const found = said.find(
      ({ disputeId, text }) => disputeId === facts.dispute_id && hashWith(salt, text) === facts.statement_hash,
    );
    return found ? [{ n, salt, text: found.text }] : [];
  });
}

/** The statements that are not erased. */
function wholeStatements(rows: StatementRow[]) {
  return rows.flatMap(({ n, statement: text, textSalt }) =>
    text === null ? [] : [{ ...(JSON.parse(text) as { event: string; facts: Record<string, unknown> }), n, textSalt }],
  );
}

/** Only texts whose statements are whole: without a hash beside it, a text proves nothing. */
async function attachmentsOf(task: TaskRow, rows: StatementRow[]): Promise<Evidence["attachments"]> {
  const whole = wholeStatements(rows);
  const saltOf = (event: string) => whole.findLast((each) => each.event === event)?.textSalt;
  const salted = (salt: string | null | undefined, text: string | null) =>
    salt && text !== null ? { salt, text } : null;
  const proposed = new Set(
    whole.filter(({ event }) => event === "contract.proposed").map(({ facts }) => facts.contract_id),
  );
  const terms = proposed.size > 0 ? await termsOf(task.id) : [];
  return {
    terms: Object.fromEntries(terms.filter(({ id }) => proposed.has(id)).map(({ id, canonical }) => [id, canonical])),
    brief: salted(saltOf("task.created"), task.brief),
    result: salted(saltOf("task.submitted"), task.result),
  };
}

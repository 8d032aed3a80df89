import { showAgent } from "#lib/identity/read.ts";
import type { Context, PublicContext } from "#lib/kernel/context.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { jsonList } from "#lib/kernel/json-list.ts";
import { findTask } from "#lib/tasks/row.ts";
import { sightOf } from "#lib/tasks/visibility.ts";
import { BATCH, type Entered, proofsOf, readChain, readSignedLog, type SignedLog, type StatementRow } from "./chain.ts";
import type { Evidence } from "./schema.ts";
import {
  attachmentsOf,
  clarificationTexts,
  disputeTexts,
  filesOf,
  gather,
  nothingStated,
  type Stated,
} from "./texts.ts";

type Texts = Pick<Evidence, "attachments" | "dispute_statements" | "clarifications" | "files">;
type ReadTexts = (stated: Stated) => Promise<Texts>;
type EvidenceReply = Reply<JsonText | JsonText<AsyncIterable<string>>>;

/**
 * The evidence of a task: its statements with their proofs, and for its parties the texts that belong to them.
 * @throws ApiError not_found where the task itself is not found
 */
export async function taskEvidence(ctx: Context, input: { task_id: string }): Promise<EvidenceReply> {
  const task = await findTask(input.task_id, ctx.clock.now());
  const sight = task ? sightOf(task, ctx.actor, ctx.clock.now()) : "hidden";
  if (!task || sight === "hidden") throw notFound();
  if (sight !== "party") return asFile(ctx, task.id, noTexts);
  return asFile(ctx, task.id, async (stated) => {
    const said = await disputeTexts(ctx.actor, task.id, stated);
    const attachments = await attachmentsOf(task, stated);
    const clarifications = clarificationTexts(task, stated);
    const files = filesOf(task, stated, attachments);
    return {
      attachments,
      ...(said.length > 0 ? { dispute_statements: said } : {}),
      ...(clarifications.length > 0 ? { clarifications } : {}),
      ...(files.length > 0 ? { files } : {}),
    };
  });
}

/**
 * The history of an identity's domain, as far as the log goes back.
 * @throws ApiError not_found where the identity's public profile is not found
 */
export async function agentEvidence(ctx: PublicContext, input: { public_id: string }): Promise<EvidenceReply> {
  await showAgent(ctx, input);
  return asFile(ctx, input.public_id, noTexts);
}

/** The file of a task as an object, for a command line to print. */
export async function wholeTaskEvidence(ctx: Context, input: { task_id: string }): Promise<Evidence> {
  const { text } = (await taskEvidence(ctx, input)).body;
  return JSON.parse(typeof text === "string" ? text : await joined(text)) as Evidence;
}

const noTexts: ReadTexts = async () => ({ attachments: { terms: {}, brief: null, result: null } });

/** A long chain is sent in pieces as they are read; a usual one in one piece, which can be cached by its ETag. */
async function asFile(ctx: Context, chain: string, texts: ReadTexts): Promise<EvidenceReply> {
  const log = await readSignedLog();
  const batches = readChain(chain, log);
  const first = (await batches.next()).value ?? [];
  const pieces = write({ chain, log, madeAt: ctx.clock.now(), texts, batches: resumed(first, batches) });
  const headers = { "Content-Disposition": `attachment; filename="evidence-${chain}.json"` };
  if (first.length === BATCH) return new Reply(200, new JsonText<AsyncIterable<string>>(pieces), headers);
  const text = await joined(pieces);
  return new Reply(200, new JsonText(text, text.slice(0, text.lastIndexOf(',"made_at":'))), headers);
}

async function* resumed<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield first;
  yield* rest;
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join("");
}

type File = {
  chain: string;
  log: SignedLog;
  madeAt: Date;
  texts: ReadTexts;
  batches: AsyncIterable<StatementRow[]>;
};

/** The statements are read once. Of each, only its leaf and hash are kept for the proofs, and what it says about texts. */
async function* write({ chain, log, madeAt, texts, batches }: File): AsyncGenerator<string> {
  const opening = { ok: true, content_trust: "untrusted", type: "guildhall.evidence/1", log: log.shown, chain };
  const entered: Entered[] = [];
  const stated = nothingStated();
  async function* kept() {
    for await (const rows of batches) {
      for (const { leaf, hash } of rows) entered.push({ leaf, hash });
      gather(stated, rows);
      yield rows;
    }
  }
  yield `${JSON.stringify(opening).slice(0, -1)},"statements":`;
  yield* jsonList(kept(), statementText);
  yield ',"proofs":';
  yield* jsonList(proofsOf(entered, log), (proof) => JSON.stringify(proof));
  yield `,${JSON.stringify({ ...(await texts(stated)), made_at: madeAt.toISOString() }).slice(1)}`;
}

/** A statement is JSON as it is stored. */
function statementText({ n, hash, statement }: StatementRow): string {
  return statement ?? JSON.stringify({ n, erased: `sha256:${hash.toString("hex")}` });
}

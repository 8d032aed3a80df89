import * as db from "#lib/db/columns.ts";
import { hashWith } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { sideOf } from "#lib/tasks/disputes/parties.ts";
import type { NamedFileWire } from "#lib/tasks/files/schema.ts";
import type { TaskRow } from "#lib/tasks/row.ts";
import type { StatementRow } from "./chain.ts";
import type { Evidence } from "./schema.ts";

type Facts = Record<string, unknown>;

/** What the statements of a chain say about texts, gathered while they are read. */
export type Stated = {
  /** Salts of the hashes in the last statement of each kind of event. */
  salts: Map<string, string | null>;
  /** The agreements whose terms were proposed, each with the number of its statement. */
  proposed: Map<unknown, number>;
  /** The number of the last statement about a submission, if it names files. */
  submittedFiles: number | undefined;
  disputes: StatedText[];
  clarified: StatedText[];
};
type StatedText = { n: number; facts: Facts; salt: string };

export const nothingStated = (): Stated => ({
  salts: new Map(),
  proposed: new Map(),
  submittedFiles: undefined,
  disputes: [],
  clarified: [],
});

/** Statements that are erased are passed over: without a hash beside it, a text proves nothing. */
export function gather(stated: Stated, rows: readonly StatementRow[]): void {
  for (const { n, statement: text, textSalt } of rows) {
    if (text === null) continue;
    const { event, facts } = JSON.parse(text) as { event: string; facts: Facts };
    stated.salts.set(event, textSalt);
    if (event === "contract.proposed") stated.proposed.set(facts.contract_id, n);
    if (event === "task.submitted") stated.submittedFiles = facts.files_hash === undefined ? undefined : n;
    if (event === "dispute.statement" && textSalt) stated.disputes.push({ n, facts, salt: textSalt });
    if (event === "task.clarified" && textSalt) stated.clarified.push({ n, facts, salt: textSalt });
  }
}

/** Terms are frozen, so they are what was proposed. */
const termsOf = statement(
  "evidence.terms",
  { id: db.text, canonical: db.text },
  "SELECT id, terms_canonical AS canonical FROM contracts WHERE task_id = $1 ORDER BY created_at, id",
);

/** The terms, the brief and the result, for those who may read them. */
export async function attachmentsOf(task: TaskRow, { salts, proposed }: Stated): Promise<Evidence["attachments"]> {
  const salted = (salt: string | null | undefined, text: string | null) =>
    salt && text !== null ? { salt, text } : null;
  const terms = proposed.size > 0 ? await termsOf(task.id) : [];
  return {
    terms: Object.fromEntries(terms.filter(({ id }) => proposed.has(id)).map(({ id, canonical }) => [id, canonical])),
    brief: salted(salts.get("task.created"), task.brief),
    result: salted(salts.get("task.submitted"), task.result),
  };
}

/** The files that the terms and the last submission name, for those who may read these. */
export function filesOf(
  { resultFiles }: TaskRow,
  { proposed, submittedFiles: n }: Stated,
  { terms }: Evidence["attachments"],
): NonNullable<Evidence["files"]> {
  const agreed = Object.entries(terms).flatMap(([id, canonical]) =>
    ((JSON.parse(canonical) as { input_files?: NamedFileWire[] }).input_files ?? []).map((file) => ({
      n: proposed.get(id) ?? 0,
      purpose: "brief" as const,
      ...file,
    })),
  );
  const submitted = n === undefined ? [] : (resultFiles ?? []);
  return [...agreed, ...submitted.map((file) => ({ n: n ?? 0, purpose: "result" as const, ...file }))];
}

const saidIn = statement(
  "evidence.dispute_statements",
  { disputeId: db.text, text: db.text, providerId: db.nullable(db.text), requesterId: db.text },
  `SELECT s.dispute_id AS "disputeId", s.statement AS text, d.provider_id AS "providerId", t.requester_id AS "requesterId"
   FROM disputes d JOIN dispute_statements s ON s.dispute_id = d.id JOIN tasks t ON t.id = d.task_id
   WHERE d.task_id = $1 ORDER BY d.created_at, d.id, s.number`,
);

/** What was said in the disputes that this reader may read, found by the hashes in the log's statements. */
export async function disputeTexts(
  actor: Context["actor"],
  taskId: string,
  { disputes }: Stated,
): Promise<NonNullable<Evidence["dispute_statements"]>> {
  if (disputes.length === 0) return [];
  const said = (await saidIn(taskId)).filter(
    (each) => actor.kind === "administrator" || (actor.kind === "service" && sideOf(each, actor.id) !== undefined),
  );
  return disputes.flatMap((stated) =>
    found(
      stated,
      stated.facts.statement_hash,
      said.filter(({ disputeId }) => disputeId === stated.facts.dispute_id),
    ),
  );
}

/** The clarifications of the task's brief, found in the same way. */
export function clarificationTexts(task: TaskRow, { clarified }: Stated): NonNullable<Evidence["clarifications"]> {
  return clarified.flatMap((stated) => found(stated, stated.facts.text_hash, task.clarifications ?? []));
}

/** The text that has this hash, if one does. */
function found({ n, salt }: StatedText, hash: unknown, texts: readonly { text: string }[]) {
  const text = texts.find((each) => hashWith(salt, each.text) === hash)?.text;
  return text === undefined ? [] : [{ n, salt, text }];
}

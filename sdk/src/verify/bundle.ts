import { isSha256 } from "../sha256.ts";

/** The facts of a statement by name; which ones an event has is documented in docs/record.md. */
export type Facts = Record<string, unknown>;

export type Actor = { kind: string; public_id: string | null };

/** What the platform recorded about one step of a task, or of an identity's domain. */
export type Statement = {
  type: "guildhall.statement/1";
  /** The log's origin when the statement was made. */
  log: string;
  event: string;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  /** ID of the task, or of the identity for facts about its domain. */
  chain: string;
  /** From 1 within the chain. */
  n: number;
  /** Hash of the statement before it; null for the first. */
  prev: string | null;
  actor: Actor;
  facts: Facts;
  salt: string;
};

/** A statement that was deleted: its hash stays in its place. */
export type Erased = { n: number; erased: string };

/** A text whose hash, with the salt, is in a statement. */
export type Salted = { salt: string; text: string };

/** A file that the statement `n` names: through the terms, or through a submission. */
export type ListedFile = { n: number; purpose: "brief" | "result"; name: string; size: number; sha256: string };

/** `vkey` is null as long as nothing has been signed. */
export type LogName = { origin: string; vkey: string | null };

export type Bundle = {
  log: LogName & { previous: LogName[] };
  chain: string;
  statements: (Statement | Erased)[];
  /** Proofs in their text form; null while the statement waits for a checkpoint. */
  proofs: (string | null)[];
  attachments: { terms: Record<string, string>; brief: Salted | null; result: Salted | null };
  /** Texts with entries of their own, each with the number of its entry. */
  said: Record<SaidKind, (Salted & { n: number })[]>;
  files: ListedFile[];
  madeAt: string;
};

/** The lists of texts that have entries of their own: the events of these entries, and the fact with the hash. */
export const SAID = {
  dispute_statements: { event: "dispute.statement", fact: "statement_hash", words: "dispute statement" },
  clarifications: { event: "task.clarified", fact: "text_hash", words: "clarification" },
} as const;
export type SaidKind = keyof typeof SAID;
export const SAID_KINDS = Object.keys(SAID) as SaidKind[];

/** Why the bundle cannot be used: not an evidence bundle at all, or one with a part of the wrong form. */
export class BundleError extends Error {
  readonly verdict: "broken" | "unreadable";
  constructor(verdict: "broken" | "unreadable", message: string) {
    super(message);
    this.verdict = verdict;
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SALT = /^[A-Za-z0-9_-]{21}[AQgw]$/;

/** @throws BundleError. Unknown top-level members are ignored; anywhere else they are refused, because nothing vouches for them. */
export function readBundle(value: unknown): Bundle {
  if (!isObject(value) || value.type !== "guildhall.evidence/1")
    throw new BundleError("unreadable", 'This is not an evidence file: its "type" is not guildhall.evidence/1.');
  const { ok = true, content_trust: trust = "untrusted", log, chain, statements, proofs, attachments } = value;
  need(ok === true && trust === "untrusted", "The file's frame has been changed.");
  need(isTime(value.made_at), '"made_at" is not a time.');
  need(isText(chain) && chain !== "", '"chain" is missing.');
  need(Array.isArray(statements) && Array.isArray(proofs), '"statements" and "proofs" must be lists.');
  need(statements.length === proofs.length, "There must be as many proofs as statements.");
  need(
    proofs.every((proof) => proof === null || isText(proof)),
    "A proof is neither text nor null.",
  );
  return {
    log: readLog(log),
    chain,
    statements: statements.map((statement, index) => readStatement(statement, index + 1)),
    proofs: proofs as (string | null)[],
    attachments: readAttachments(attachments),
    said: {
      dispute_statements: readSaid(value, "dispute_statements"),
      clarifications: readSaid(value, "clarifications"),
    },
    files: readFiles(value.files ?? []),
    madeAt: value.made_at,
  };
}

function readLog(value: unknown): Bundle["log"] {
  need(isObject(value), '"log" is missing.');
  const { previous = [], ...current } = value;
  need(isLogName(current), '"log" must have an origin and a vkey.');
  need(Array.isArray(previous) && previous.every(isLogName), '"log.previous" must list logs by origin and vkey.');
  return { ...current, previous };
}

function isLogName(value: unknown): value is LogName {
  return isExactly(value, ["origin", "vkey"]) && isText(value.origin) && (value.vkey === null || isText(value.vkey));
}

const MEMBERS = ["type", "log", "event", "at", "chain", "n", "prev", "actor", "facts", "salt"];

function readStatement(value: unknown, place: number): Statement | Erased {
  if (isExactly(value, ["n", "erased"])) {
    need(Number.isSafeInteger(value.n) && isSha256(value.erased), `Entry ${place} is neither whole nor erased.`);
    return value as Erased;
  }
  need(isExactly(value, MEMBERS), `Entry ${place} lacks a member or has one too many.`);
  const { type, log, event, at, n, prev, actor, facts, salt } = value;
  const isWhole =
    type === "guildhall.statement/1" &&
    [log, event, value.chain].every(isText) &&
    isTime(at) &&
    Number.isSafeInteger(n) &&
    (prev === null || isSha256(prev)) &&
    isExactly(actor, ["kind", "public_id"]) &&
    isText(actor.kind) &&
    (actor.public_id === null || isText(actor.public_id)) &&
    isObject(facts) &&
    [facts.contract_id, facts.settlement_id].every((id) => id === undefined || isText(id)) &&
    isText(salt) &&
    SALT.test(salt);
  need(isWhole, `Entry ${place} has a member of the wrong form.`);
  return value as Statement;
}

function readAttachments(value: unknown): Bundle["attachments"] {
  need(
    isExactly(value, ["terms", "brief", "result"]),
    '"attachments" must have terms, brief and result, and nothing else.',
  );
  const { terms, brief, result } = value;
  need(isObject(terms) && Object.values(terms).every(isText), '"attachments.terms" must hold texts.');
  for (const [name, text] of Object.entries({ brief, result }))
    need(
      text === null || (isExactly(text, ["salt", "text"]) && isText(text.salt) && isText(text.text)),
      `"attachments.${name}" must be null or have a salt and a text.`,
    );
  return value as Bundle["attachments"];
}

function readSaid(file: Record<string, unknown>, name: SaidKind): Bundle["said"][SaidKind] {
  const value = file[name] ?? [];
  need(
    Array.isArray(value) &&
      value.every(
        (each) =>
          isExactly(each, ["n", "salt", "text"]) &&
          Number.isSafeInteger(each.n) &&
          isText(each.salt) &&
          isText(each.text),
      ),
    `"${name}" must list texts, each with its n and salt.`,
  );
  return value as Bundle["said"][SaidKind];
}

function readFiles(value: unknown): ListedFile[] {
  need(
    Array.isArray(value) &&
      value.every(
        (each) =>
          isExactly(each, ["n", "purpose", "name", "size", "sha256"]) &&
          Number.isSafeInteger(each.n) &&
          (each.purpose === "brief" || each.purpose === "result") &&
          isText(each.name) &&
          Number.isSafeInteger(each.size) &&
          isSha256(each.sha256),
      ),
    '"files" must list files, each with its n, purpose, name, size and sha256.',
  );
  return value as ListedFile[];
}

function need(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new BundleError("broken", problem);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isExactly(value: unknown, members: readonly string[]): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  return Object.keys(value).length === members.length && members.every((member) => Object.hasOwn(value, member));
}

function isTime(value: unknown): value is string {
  return isText(value) && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

export function isErased(statement: Statement | Erased): statement is Erased {
  return "erased" in statement;
}

import { canonicalJson } from "../canonical-json.ts";
import { sha256Text } from "../sha256.ts";
import {
  type Bundle,
  isErased,
  isObject,
  SAID,
  SAID_KINDS,
  type SaidKind,
  type Salted,
  type Statement,
} from "./bundle.ts";

/** The terms of an agreement that the checks use. */
export type Terms = {
  contract_id: string;
  task_id: string;
  requester: { public_id: string };
  provider: { public_id: string };
  payment_mode: string;
  amount_pence: number;
  fee_policy: { bps: number };
  acceptance_criteria?: unknown;
  input_files?: unknown;
};

export type Attached = {
  /** Terms whose hash a statement names, by the agreement's ID. */
  terms: Map<string, Terms>;
  brief: boolean;
  result: boolean;
  /** How many texts with entries of their own there are. */
  said: Record<SaidKind, number>;
  problems: string[];
};

/** Checks the attachments against the hashes in the statements. A file has all of them, or (for outsiders) none. */
export function checkAttachments({ statements, attachments, chain, said }: Bundle): Attached {
  const problems: string[] = [];
  const whole = statements.filter((statement): statement is Statement => !isErased(statement));
  const hashOf = (event: string, fact: string) => whole.findLast((statement) => statement.event === event)?.facts[fact];

  const texts = { brief: hashOf("task.created", "brief_hash"), result: hashOf("task.submitted", "result_hash") };
  const proposed = new Map(
    whole
      .filter(({ event }) => event === "contract.proposed")
      .map(({ facts }) => [String(facts.contract_id), facts.terms_hash]),
  );
  const isEmpty =
    Object.keys(attachments.terms).length === 0 && attachments.brief === null && attachments.result === null;

  if (!isEmpty) {
    for (const name of ["brief", "result"] as const) {
      const problem = problemOfText(attachments[name], texts[name]);
      if (problem) problems.push(`The ${name} ${problem}`);
    }
    for (const id of proposed.keys())
      if (!Object.hasOwn(attachments.terms, id)) problems.push(`The terms of ${id} are missing.`);
  }
  const terms = new Map<string, Terms>();
  for (const [id, text] of Object.entries(attachments.terms)) {
    const read = sha256Text(text) === proposed.get(id) ? readTerms(text) : undefined;
    if (read?.contract_id === id && read.task_id === chain) terms.set(id, read);
    else problems.push(`The terms of ${id} are not those that were proposed.`);
  }
  for (const kind of SAID_KINDS) {
    const { event, fact, words } = SAID[kind];
    const hashes = new Map(whole.filter((each) => each.event === event).map(({ n, facts }) => [n, facts[fact]]));
    for (const { n, ...text } of said[kind]) {
      const problem = problemOfText(text, hashes.get(n));
      if (problem) problems.push(`Entry ${n}: the ${words} ${problem}`);
    }
  }
  const { brief, result } = attachments;
  const counts = { dispute_statements: said.dispute_statements.length, clarifications: said.clarifications.length };
  return { terms, brief: brief !== null, result: result !== null, said: counts, problems };
}

function problemOfText(attachment: Salted | null, hash: unknown): string | undefined {
  if (attachment === null) return hash === undefined ? undefined : "is missing.";
  if (hash === undefined) return "is not named by any entry.";
  try {
    return sha256Text(canonicalJson(attachment)) === hash ? undefined : "is not the text whose hash was recorded.";
  } catch {
    return "has no canonical form.";
  }
}

/** Undefined unless the text is canonical and says what terms must say. */
function readTerms(text: string): Terms | undefined {
  try {
    const terms: unknown = JSON.parse(text);
    if (canonicalJson(terms) !== text || !isObject(terms)) return undefined;
    const { requester, provider, fee_policy: policy, amount_pence: amount } = terms;
    const isWhole =
      isObject(requester) && isObject(provider) && isObject(policy) && isPence(amount) && isPence(policy.bps);
    return isWhole && (policy.bps as number) <= 10_000 ? (terms as Terms) : undefined;
  } catch {
    return undefined;
  }
}

export function isPence(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

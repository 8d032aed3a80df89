import { utf8 } from "../bytes.ts";
import { sha256Text } from "../sha256.ts";
import { isPence, type Terms } from "./attachments.ts";
import { type Bundle, type Facts, isErased, isObject, isText, type ListedFile, type Statement } from "./bundle.ts";

export type CheckedCriteria = {
  /** What was computed again here. */
  proved: string[];
  /** What the platform found, and only it. */
  asserted: string[];
  problems: string[];
};

/**
 * Compares what the platform recorded about the criteria that it checks with the terms and the result. Hashes and sizes are computed
 * again; that a result fits a JSON Schema rests on the platform's word. Where an entry is missing, it may be a later result or another
 * agreement, so nothing is said.
 */
export function checkCriteria({ statements, attachments, files }: Bundle, terms: Map<string, Terms>): CheckedCriteria {
  const found: CheckedCriteria = { proved: [], asserted: [], problems: [] };
  if (statements.some(isErased)) return found;
  const last = statements.findLast(
    (statement): statement is Statement => !isErased(statement) && statement.event === "task.submitted",
  );
  const agreed = last && terms.get(agreementBefore(statements, last));
  if (!agreed || !attachments.result) return found;
  const recorded = Array.isArray(last.facts.criteria) ? last.facts.criteria.filter(isObject) : [];
  const submission = { result: attachments.result.text, files: files.filter(({ purpose }) => purpose === "result") };
  const criteria = Array.isArray(agreed.acceptance_criteria) ? agreed.acceptance_criteria : [];
  for (const [index, criterion] of criteria.entries()) {
    if (isText(criterion)) continue;
    if (!isObject(criterion) || !isText(criterion.kind)) {
      found.problems.push(`Criterion ${letter(index)} of the terms is neither text nor of a known form.`);
      continue;
    }
    const finding = recorded.find((each) => each.index === index && each.kind === criterion.kind);
    const name = `Criterion ${letter(index)} of the terms (${criterion.kind})`;
    if (typeof finding?.passed !== "boolean") {
      found.problems.push(`Entry ${last.n}: ${name} was not checked.`);
      continue;
    }
    const words = `${name}: the result submitted last ${finding.passed ? "meets" : "does not meet"} it.`;
    const passes = passesAgain(criterion, submission);
    if (passes === undefined) found.asserted.push(words);
    else if (passes === finding.passed) found.proved.push(words);
    else found.problems.push(`Entry ${last.n}: ${name}: the recorded outcome is wrong.`);
  }
  return found;
}

/** Criteria have letters wherever people read them. */
const letter = (index: number) => String.fromCharCode("a".charCodeAt(0) + index);

/** The agreement that was accepted before an entry. */
function agreementBefore(statements: Bundle["statements"], { n }: Statement): string {
  const accepted = statements.findLast(
    (each): each is Statement => !isErased(each) && each.n < n && each.event === "contract.accepted",
  );
  return String(accepted?.facts.contract_id);
}

const SHA256 = /^(?:sha256:)?[0-9a-f]{64}$/;

/** Undefined if this cannot be computed here. */
function passesAgain(
  { kind, value, name, max_bytes: most, media_type: type }: Facts,
  { result, files }: { result: string; files: ListedFile[] },
): boolean | undefined {
  const file = files.find((each) => each.name === name);
  if (kind === "file_sha256" && isText(value) && SHA256.test(value))
    return file?.sha256.endsWith(value.slice(-64)) ?? false;
  if (kind === "file_present" && isPence(most)) {
    if (!file || file.size > most) return false;
    // The declared type is not in the evidence.
    return type === undefined ? true : undefined;
  }
  if (kind === "sha256" && isText(value) && SHA256.test(value)) return sha256Text(result).endsWith(value);
  return kind === "max_bytes" && isPence(value) ? utf8(result).length <= value : undefined;
}

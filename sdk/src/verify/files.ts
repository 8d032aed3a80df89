import { canonicalJson } from "../canonical-json.ts";
import { sha256Text } from "../sha256.ts";
import type { Terms } from "./attachments.ts";
import { type Bundle, isErased, isObject, type ListedFile, type Statement } from "./bundle.ts";

/** A file that the evidence lists. `unchecked`: the reader gave no file of that name to compare it with. */
export type FileLine = ListedFile & { state: "matches" | "differs" | "unchecked" };

export type CheckedFiles = { lines: FileLine[]; proved: string[]; problems: string[] };

/**
 * Checks that the listed files are those that the terms and the submission name, and compares files of the reader with them.
 * @param given hashes of the reader's files, by name
 */
export function checkFiles(
  { statements, attachments, files }: Bundle,
  terms: Map<string, Terms>,
  given: Readonly<Record<string, string>>,
): CheckedFiles {
  const problems: string[] = [];
  const whole = statements.filter((statement): statement is Statement => !isErased(statement));
  const submitted = whole.findLast(({ event }) => event === "task.submitted");
  const results = files.filter(({ purpose }) => purpose === "result");
  const filesHash = submitted?.facts.files_hash;
  if (results.some(({ n }) => n !== submitted?.n)) problems.push("A result file is not of the last submission.");
  if (attachments.result && filesHash !== undefined && !isListOf(results, filesHash, attachments.result.salt))
    problems.push("The result files are not those that were submitted last.");
  // Their hash is salted as the result's is, and the salt comes with the result.
  if (results.length > 0 && !attachments.result) problems.push("Without the result, its files cannot be checked.");
  if (results.length > 0 && filesHash === undefined) problems.push("No entry names the result files.");
  for (const file of files) {
    if (file.purpose !== "brief") continue;
    const proposal = whole.find(({ n, event }) => n === file.n && event === "contract.proposed");
    const agreed = terms.get(String(proposal?.facts.contract_id))?.input_files;
    const isNamed = Array.isArray(agreed) && agreed.some((each) => isObject(each) && isSame(each, file));
    if (!isNamed) problems.push(`The terms do not name the file ${file.name}.`);
  }
  const lines = files.map((file): FileLine => {
    const hash = Object.hasOwn(given, file.name) ? given[file.name] : undefined;
    return { ...file, state: hash === undefined ? "unchecked" : hash === file.sha256 ? "matches" : "differs" };
  });
  for (const [name, hash] of Object.entries(given)) {
    const named = lines.filter((line) => line.name === name);
    if (named.length === 0) problems.push(`The evidence names no file ${name}.`);
    else if (!named.some(({ state }) => state === "matches"))
      problems.push(
        `The file ${name} is not the one in the evidence: its hash is ${hash}, not ${named.at(-1)?.sha256}.`,
      );
  }
  const proved = lines.filter(({ state }) => state === "matches");
  return {
    lines,
    proved: proved.map(({ name, n, purpose }) => `The ${purpose} file ${name} is the one that entry ${n} names.`),
    problems,
  };
}

function isListOf(files: ListedFile[], hash: unknown, salt: string): boolean {
  const text = canonicalJson(files.map(({ name, size, sha256 }) => ({ name, size, sha256 })));
  return sha256Text(canonicalJson({ salt, text })) === hash;
}

const isSame = (one: Record<string, unknown>, { name, size, sha256 }: ListedFile) =>
  one.name === name && one.size === size && one.sha256 === sha256;

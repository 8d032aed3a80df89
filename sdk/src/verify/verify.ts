import type { Vkey } from "../tlog/note.ts";
import { checkAgreements, checkSignatures, type PartySignature } from "./agreement.ts";
import { type Attached, checkAttachments } from "./attachments.ts";
import { type Bundle, BundleError, isErased, readBundle, SAID, SAID_KINDS, type SaidKind } from "./bundle.ts";
import { checkChain } from "./chain.ts";
import { checkCriteria } from "./criteria.ts";
import { checkFiles } from "./files.ts";
import { checkInclusion, findWitnesses, type Inclusion } from "./inclusion.ts";
import { type Report, readLogKey, readWitnessKey, report, type StatementLine, type VerifyOptions } from "./report.ts";
import { parseStrictJson } from "./strict-json.ts";
import { dealIn, visible, wordsOf } from "./words.ts";

export type { Report, StatementLine, Verdict, VerifyOptions } from "./report.ts";
// The client calls it `evidence.verify`, so the short name works here too.
export { verifyEvidence as verify };

/**
 * Verifies an evidence file without any network: the chain of statements, their proofs, the log's signature, the attachments, the
 * agreement and the parties' signatures.
 * @param evidence the file's text, or the answer of the API
 * @throws Error only where the platform cannot check Ed25519 signatures at all
 */
export async function verifyEvidence(
  evidence: unknown,
  { key, witnesses = [], files = {} }: VerifyOptions = {},
): Promise<Report> {
  const given = key === undefined ? undefined : readLogKey(key);
  if (key !== undefined && !given) return unreadable("The key is not a log's verifier key (name+id+base64).");
  const witnessKeys = witnesses.map(readWitnessKey);
  if (witnessKeys.includes(undefined)) return unreadable("A witness's key is not a witness's verifier key.");
  let bundle: Bundle;
  try {
    bundle = readBundle(typeof evidence === "string" ? parseStrictJson(evidence) : evidence);
  } catch (error) {
    if (error instanceof BundleError) return failed(error.verdict, [error.message]);
    if (error instanceof SyntaxError) return unreadable(`The file is not JSON: ${visible(error.message)}`);
    throw error;
  }
  return verifyBundle(bundle, given, witnessKeys as Vkey[], files);
}

async function verifyBundle(
  bundle: Bundle,
  given: Vkey | undefined,
  witnessKeys: Vkey[],
  ownFiles: Readonly<Record<string, string>>,
): Promise<Report> {
  const { log, chain, statements, proofs } = bundle;
  const named = log.vkey === null ? undefined : readLogKey(log.vkey);
  const about = {
    chain: visible(chain),
    log: { origin: visible(log.origin), vkey: log.vkey && visible(log.vkey), key_given: Boolean(given) },
  };
  if (log.vkey !== null && (named?.name !== log.origin || log.vkey !== log.vkey.trim()))
    return { ...failed("broken", ["The key in the file is not a verifier key of the log in the file."]), ...about };
  if (given && (given.name !== named?.name || given.id !== named.id))
    return { ...failed("broken", [`The file is from ${log.origin}, not from the log whose key you gave.`]), ...about };

  const links = checkChain(bundle);
  const inclusion = await checkInclusion(links.hashes, proofs, given ?? named);
  const attached = checkAttachments(bundle);
  const { signatures, problems: signatureProblems } = await checkSignatures(statements);
  const criteria = checkCriteria(bundle, attached.terms);
  const files = checkFiles(bundle, attached.terms, ownFiles);
  const problems = [
    ...links.problems,
    ...inclusion.problems,
    ...attached.problems,
    ...checkAgreements(statements, attached.terms),
    ...criteria.problems,
    ...files.problems,
    ...signatureProblems,
  ].map(visible);
  const lines = statements.map((statement, index): StatementLine => {
    const isIncluded = index < inclusion.included && !inclusion.broken.has(index);
    // An entry that is proved to be in the log is not the one that was changed.
    const isUnlinked = links.unlinked.has(index) && !isIncluded;
    const isBroken = inclusion.broken.has(index) || links.broken.has(index) || isUnlinked;
    const { n } = statement;
    if (isErased(statement)) {
      const words = "What this entry says is not in the file";
      return { n, words, at: null, state: isBroken ? "broken" : "erased" };
    }
    const state = isBroken ? "broken" : isIncluded ? "in_log" : "waiting";
    return { n, words: wordsOf(statement), at: statement.at, state };
  });
  const shown = {
    ...about,
    statements: lines,
    files: files.lines.map(visibleFile),
    tree_size: inclusion.checkpoint?.size ?? null,
    deal: dealIn(statements),
  };
  if (problems.length > 0) return { ...failed("broken", problems), ...shown };

  const isWhole = statements.length > 0 && inclusion.included === statements.length;
  const seen = inclusion.checkpoint ? await findWitnesses(inclusion.checkpoint, witnessKeys) : [];
  return report(given && isWhole ? "proved" : "consistent", {
    ...shown,
    summary: summaryOf(bundle, inclusion, given),
    proved: [
      ...provedBy(bundle, inclusion, attached, signatures, seen),
      ...[...criteria.proved, ...files.proved].map(visible),
    ],
    asserted: [...assertedBy(bundle, signatures), ...criteria.asserted.map(visible)],
    not_proved: notProved(bundle, inclusion, given, seen.length),
  });
}

const visibleFile = (file: Report["files"][number]) => ({ ...file, name: visible(file.name) });

function summaryOf({ statements }: Bundle, { included }: Inclusion, given: Vkey | undefined): string {
  if (statements.length === 0) return "The file has no entries, so it proves nothing.";
  if (included < statements.length)
    return `Consistent, but ${statements.length - included} of ${statements.length} entries are not in a checkpoint yet. Download the file again in a few seconds.`;
  if (!given)
    return "Consistent, but against the key in the file itself. Verify again with the key that the platform published.";
  const missing = statements.filter(isErased).length;
  return `Proved: ${statements.length === 1 ? "the entry is" : `all ${statements.length} entries are`} in the log of ${visible(given.name)}, unchanged.${missing > 0 ? ` What ${missing} of them ${missing === 1 ? "says" : "say"} is not in the file.` : ""}`;
}

function provedBy(
  { statements, log }: Bundle,
  { checkpoint, included }: Inclusion,
  { terms, brief, result, said }: Attached,
  signatures: PartySignature[],
  witnesses: { name: string; at: number }[],
): string[] {
  if (!checkpoint) return [];
  const erased = statements.filter(isErased).length;
  // Anyone can put the hash of an entry in its place, so an entry that is missing may be a later result, or an acceptance of other terms.
  const submitted = statements.findLast((each) => !isErased(each) && each.event === "task.submitted");
  return [
    `The first ${included} entries of this chain are in the tree of ${checkpoint.size} entries that ${log.origin} signed. None of them was changed, left out or added later.`,
    ...(erased > 0
      ? [`${erased} of them were erased or withheld: that they exist is proved, what they say is not.`]
      : []),
    ...(brief ? ["The brief is the text that was recorded when the task was created."] : []),
    ...(terms.size > 0
      ? [
          `The terms are those that were proposed${erased > 0 ? "." : ", and each acceptance names them by their hash."}`,
        ]
      : []),
    ...(result
      ? [`The result is the text that was submitted ${erased > 0 ? `with entry ${submitted?.n}` : "last"}.`]
      : []),
    ...SAID_KINDS.flatMap((kind) => asWritten(said[kind], kind)),
    ...signatures.map(
      ({ n, publicId, key }) => `Entry ${n} was signed with the key ${key}, which the platform lists for ${publicId}.`,
    ),
    ...witnesses.map(({ name, at }) => `The witness ${name} saw this tree at ${new Date(at).toISOString()}.`),
  ].map(visible);
}

function asWritten(count: number, kind: SaidKind): string[] {
  const { words } = SAID[kind];
  const authors = kind === "clarifications" ? ["the requester", "the requester"] : ["the party", "the parties"];
  if (count === 0) return [];
  return count === 1
    ? [`The ${words} in this file is as ${authors[0]} wrote it.`]
    : [`The ${count} ${words}s in this file are as ${authors[1]} wrote them.`];
}

function assertedBy({ statements, log }: Bundle, signatures: PartySignature[]): string[] {
  const signed = signatures.map(({ n }) => n);
  const rest = statements.filter(({ n }) => !signed.includes(n)).length;
  return [
    ...(rest > 0
      ? [
          `${rest === 1 ? "1 entry is" : `${rest} entries are`} asserted by the platform (${log.origin}): who acted, when, and what was recorded.`,
        ]
      : []),
    ...(signed.length > 0 ? [`Whose key signed entry ${signed.join(" and ")} is asserted by the platform too.`] : []),
  ].map(visible);
}

function notProved(
  { log, statements }: Bundle,
  { checkpoint }: Inclusion,
  given: Vkey | undefined,
  witnesses: number,
): string[] {
  return [
    ...(given ? [] : [`That the key in the file is the key of ${log.origin}.`]),
    ...(checkpoint ? [] : ["That any of this is in a log."]),
    ...(statements.some(isErased)
      ? ["What the missing entries say. Any of them may change what the others mean: it may be a later result."]
      : []),
    ...(witnesses > 0
      ? []
      : ["That the platform shows everyone the same log: no witness that you trust has cosigned this tree."]),
  ].map(visible);
}

function failed(verdict: "broken" | "unreadable", problems: string[]): Report {
  const summary =
    verdict === "broken"
      ? "Broken: do not rely on this file."
      : "Unreadable: this cannot be verified as an evidence file.";
  return report(verdict, { summary, problems: problems.map(visible) });
}

function unreadable(problem: string): Report {
  return failed("unreadable", [problem]);
}

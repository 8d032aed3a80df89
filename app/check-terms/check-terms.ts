import { sha256Of } from "#components/agreement/sha256.ts";
import { canonicalJson } from "#sdk/canonical-json.ts";
import { parseStrictJson } from "#sdk/verify/strict-json.ts";

export type Finding =
  | { kind: "unreadable"; message: string }
  | { kind: "unavailable" }
  | {
      kind: "computed";
      hash: string;
      canonical: string;
      /** Where the terms were found in the pasted text: it is the terms, contains them, or is a JSON string of them. */
      within: "whole" | "terms" | "text";
      looksLikeTerms: boolean;
      /** Null without a hash to compare with. */
      matches: boolean | null;
    };

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/i;

/** `ABC…` or `sha256:abc…` → `sha256:abc…`; undefined if it is not a SHA-256 hash. */
export function readHash(text: string): string | undefined {
  const [, digits] = HASH.exec(text.trim()) ?? [];
  return digits && `sha256:${digits.toLowerCase()}`;
}

/** Hashes terms as the parties do, and compares. Runs in the browser and asks no server. */
export async function checkTerms(text: string, hash: string | undefined): Promise<Finding> {
  try {
    JSON.parse(text);
  } catch (error) {
    return { kind: "unreadable", message: notJson(text, (error as Error).message) };
  }
  let found: ReturnType<typeof findTerms>;
  let canonical: string;
  try {
    found = findTerms(parseStrictJson(text));
    if (isDeeper(found.terms, MAX_LEVELS)) throw new TypeError(`They are nested more than ${MAX_LEVELS} levels deep.`);
    canonical = canonicalJson(found.terms);
  } catch (error) {
    return { kind: "unreadable", message: `These terms have no hash. ${(error as Error).message}` };
  }
  const { terms, within } = found;
  const computed = await sha256Of(canonical).catch(() => undefined);
  if (computed === undefined) return { kind: "unavailable" };
  const matches = hash === undefined ? null : hash === computed;
  return { kind: "computed", hash: computed, canonical, within, looksLikeTerms: isTerms(terms), matches };
}

/** The place with which most messages of Chromium and Firefox end. */
const PLACE = /\bline (\d+) column (\d+)(?:\)| of the JSON data)$/;

function notJson(text: string, reason: string): string {
  const [, line, column] = PLACE.exec(reason) ?? [];
  const sentences = [
    "This is not valid JSON.",
    line ? `The mistake is at line ${line}, column ${column}.` : "",
    // Typical of text from an e-mail.
    /(?:^|[{[,:])\s*[“”„]/.test(text) ? 'It contains curly quotes (“ ”). Names and texts need straight ones (").' : "",
  ];
  return sentences.filter(Boolean).join(" ");
}

const MAX_LEVELS = 100;

/** Whether a value is nested deeper than so many levels. Looks no further, so that it never runs out of stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTerms = (value: unknown) =>
  isObject(value) && "scope" in value && "amount_pence" in value && "version" in value;

/** Finds the terms: by themselves, in the API response that contained them, or as the hashed text. */
function findTerms(value: unknown): { terms: unknown; within: "whole" | "terms" | "text" } {
  if (typeof value === "string") {
    const inner = innerOf(value);
    if (isTerms(inner)) return { terms: inner, within: "text" };
  }
  if (isObject(value) && !isTerms(value)) {
    const holder = isObject(value.contract) ? value.contract : value;
    if (isTerms(holder.terms)) return { terms: holder.terms, within: "terms" };
  }
  return { terms: value, within: "whole" };
}

/** The JSON that a JSON text holds; undefined if it holds none. */
function innerOf(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}

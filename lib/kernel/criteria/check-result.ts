import { createHash } from "node:crypto";
import { Budget } from "#lib/kernel/json-schema/check.ts";
import { newBudget } from "#lib/kernel/json-schema/json-schema.ts";
import { pacedWork } from "#lib/kernel/paced-work.ts";
import { checkText } from "./check-text.ts";
import type { Criterion, CriterionResultWire } from "./schema.ts";

type Checked = Exclude<Criterion, string>;

// Of all criteria that wait, one is checked in each turn of the event loop, so that other requests are answered in between.
const deliverRound = pacedWork(1);

export function hasChecks(criteria: readonly Criterion[]): boolean {
  return criteria.some((criterion) => typeof criterion !== "string");
}

/** A file of the submission, as far as criteria look at it. */
export type CheckedFile = {
  name: string;
  size: number;
  sha256: string;
  mediaType: string;
  /** All of its bytes. */
  read(): Promise<Uint8Array>;
};

/** What the service finds for each criterion that it can check. The result is the text as it is stored. */
export async function checkResult(
  criteria: readonly Criterion[],
  result: string,
  files: readonly CheckedFile[] = [],
): Promise<CriterionResultWire[]> {
  // All schemas of an agreement share the steps of one check, so several cost no more than one.
  const budget = newBudget();
  const results: CriterionResultWire[] = [];
  for (const [index, criterion] of criteria.entries()) {
    if (typeof criterion === "string") continue;
    await new Promise<void>(deliverRound);
    const reason = (await problemOf(criterion, { result, files }, budget)) ?? null;
    results.push({ index, kind: criterion.kind, passed: reason === null, reason });
  }
  return results;
}

/** Larger files take too long to check. */
const MOST_JSON_BYTES = 1_000_000;

async function problemOf(
  criterion: Checked,
  { result, files }: { result: string; files: readonly CheckedFile[] },
  budget: Budget,
): Promise<string | undefined> {
  const file = "name" in criterion ? files.find(({ name }) => name === criterion.name) : undefined;
  if ("name" in criterion && !file) return "The submission has no file of this name.";
  switch (criterion.kind) {
    case "sha256": {
      const hash = createHash("sha256").update(result, "utf8").digest("hex");
      return criterion.value.endsWith(hash) ? undefined : `The result's SHA-256 is ${hash}.`;
    }
    case "max_bytes": {
      const bytes = Buffer.byteLength(result, "utf8");
      return bytes <= criterion.value
        ? undefined
        : `The result has ${bytes} bytes; at most ${criterion.value} are agreed.`;
    }
    case "json_schema":
      return checkText(criterion.schema, result, budget);
    case "file_present":
      return file && problemOfFile(criterion, file);
    case "file_sha256":
      return file?.sha256.endsWith(criterion.value.slice(-64)) ? undefined : `The file's SHA-256 is ${file?.sha256}.`;
    case "file_json_schema":
      return file && problemOfJson(criterion.schema, file, budget);
  }
}

function problemOfFile(
  { max_bytes: most, media_type: type }: Extract<Checked, { kind: "file_present" }>,
  file: CheckedFile,
): string | undefined {
  if (file.size > most) return `The file has ${file.size} bytes; at most ${most} are agreed.`;
  return type && type.toLowerCase() !== file.mediaType ? `The file is declared as ${file.mediaType}.` : undefined;
}

async function problemOfJson(schema: unknown, file: CheckedFile, budget: Budget): Promise<string | undefined> {
  if (file.size > MOST_JSON_BYTES)
    return `The file has ${file.size} bytes; a schema is checked up to ${MOST_JSON_BYTES}.`;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.read());
  } catch (error) {
    if (error instanceof TypeError) return "The file is not text in UTF-8.";
    throw error;
  }
  return checkText(schema, text, budget, "The file", new Budget(text.length));
}

import { createHash } from "node:crypto";
import type { Budget } from "#lib/kernel/json-schema/check.ts";
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

/** What the service finds for each criterion that it can check. The result is the text as it is stored. */
export async function checkResult(criteria: readonly Criterion[], result: string): Promise<CriterionResultWire[]> {
  // All schemas of an agreement share the steps of one check, so several cost no more than one.
  const budget = newBudget();
  const results: CriterionResultWire[] = [];
  for (const [index, criterion] of criteria.entries()) {
    if (typeof criterion === "string") continue;
    await new Promise<void>(deliverRound);
    const reason = problemOf(criterion, result, budget) ?? null;
    results.push({ index, kind: criterion.kind, passed: reason === null, reason });
  }
  return results;
}

function problemOf(criterion: Checked, result: string, budget: Budget): string | undefined {
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
  }
}

import { createHash } from "node:crypto";
import { Budget } from "#lib/kernel/json-schema/budget.ts";
import { inTurns } from "#lib/kernel/turns.ts";
import { checkText, MOST_STEPS } from "./check-text.ts";
import { compileCriterion } from "./json-schema.ts";
import type { Criterion, CriterionResultWire } from "./schema.ts";

type Checked = Exclude<Criterion, string>;

// Of all criteria that wait, one is checked in each turn of the event loop, so that other requests are answered in between.
const takeTurn = inTurns(1);

export function hasChecks(criteria: readonly Criterion[]): boolean {
  return criteria.some((criterion) => typeof criterion !== "string");
}

/** What the service finds for each criterion that it can check. The result is the text as it is stored. */
export async function checkResult(criteria: readonly Criterion[], result: string): Promise<CriterionResultWire[]> {
  // All schemas of an agreement share the steps of one check, so several cost no more than one.
  const budget = new Budget(MOST_STEPS);
  const results: CriterionResultWire[] = [];
  for (const [index, criterion] of criteria.entries()) {
    if (typeof criterion === "string") continue;
    await new Promise<void>(takeTurn);
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
    case "json_schema": {
      const check = compileCriterion(criterion.schema);
      return check ? checkText(check, result, budget) : "This version of the service no longer supports this schema.";
    }
  }
}

import { env } from "#lib/kernel/env.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import type { Criterion } from "./schema.ts";

/** The place of the first criterion that nobody could meet, because it is about a file and this service has none; -1 without one. */
export function impossibleCriterion(criteria: readonly Criterion[]): number {
  return env().files ? -1 : criteria.findIndex((each) => typeof each === "object" && each.kind.startsWith("file_"));
}

/**
 * @param field the name of the field with the criteria
 * @throws ApiError invalid_input for a criterion that nobody could meet
 */
export function refuseFilesInCriteria(criteria: readonly Criterion[], field: string): void {
  const index = impossibleCriterion(criteria);
  if (index >= 0)
    throw invalidInput(`${field}.${index}.kind`, "must be sha256, json_schema or max_bytes: this service has no files");
}

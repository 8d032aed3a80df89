import { env } from "#lib/kernel/env.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import type { Criterion } from "./schema.ts";

/**
 * Where the service has no files, nobody could meet a criterion about one.
 * @param field the name of the field with the criteria
 * @throws ApiError invalid_input
 */
export function refuseFilesInCriteria(criteria: readonly Criterion[], field: string): void {
  if (env().files) return;
  const index = criteria.findIndex((each) => typeof each === "object" && each.kind.startsWith("file_"));
  if (index >= 0)
    throw invalidInput(`${field}.${index}.kind`, "must be sha256, json_schema or max_bytes: this service has no files");
}

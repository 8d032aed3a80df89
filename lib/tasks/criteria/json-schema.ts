import { type Check, isObject, type Schema, SchemaProblem } from "#lib/kernel/json-schema/check.ts";
import { compileSchema } from "#lib/kernel/json-schema/compile.ts";
import { clip, isPlainText } from "#lib/kernel/text.ts";
import { canonicalJson } from "#sdk/canonical-json.ts";

const MOST_BYTES = 16_384;
const MOST_POINTER_CHARACTERS = 120;

/** What is wrong with a schema that a criterion should use; undefined if nothing is. */
export function problemOfSchema(schema: Record<string, unknown>): string | undefined {
  if (!hasPlainNames(schema)) return "must have names without control characters, and none that is __proto__";
  let bytes: number;
  try {
    bytes = new TextEncoder().encode(canonicalJson(schema)).length;
  } catch {
    return "must have a canonical form: only finite numbers and well-formed text";
  }
  if (bytes > MOST_BYTES) return `must have at most ${MOST_BYTES} bytes as canonical JSON, and has ${bytes}`;
  try {
    compileSchema(schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error;
    const place = error.pointer ? clip(error.pointer, MOST_POINTER_CHARACTERS) : "the top";
    return `must be a schema that this service can check: ${place} ${error.message}`;
  }
}

/** A schema that was checked when it was proposed; undefined if today's rules refuse it. */
export function compileCriterion(schema: Record<string, unknown>): Check | undefined {
  try {
    return compileSchema(schema as Schema);
  } catch (error) {
    if (error instanceof SchemaProblem) return undefined;
    throw error;
  }
}

function hasPlainNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasPlainNames);
  if (!isObject(value)) return true;
  return Object.entries(value).every(
    ([name, below]) => name !== "__proto__" && isPlainText(name) && hasPlainNames(below),
  );
}

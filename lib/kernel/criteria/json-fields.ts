import { z } from "zod";
import { verbatim } from "../fields.ts";
import { Exhausted, isObject } from "../json-schema/check.ts";
import { checkSchema, newDataBudget, type Problem, validate, whyUnfit } from "../json-schema/json-schema.ts";
import { clip, countCharacters } from "../text.ts";

// JSON that callers send as data: schemas, and values that fit them. It is kept as sent, but for Unicode's composed form.

const MOST_BYTES = 16_384;
/** Of an order by text, which is the brief of its task. */
const MOST_CHARACTERS = 20_000;
const MOST_POINTER_CHARACTERS = 120;
const LIMIT = `At most ${MOST_BYTES.toLocaleString("en-GB")} bytes as canonical JSON`;

/** JSON Schema has no keyword for it. */
const BOUND = { "x-maxBytes": MOST_BYTES };

/** A JSON Schema that this service can check values against. Each use gets its own description. */
export function jsonSchemaField(of: string) {
  return verbatim(
    z
      .custom<Record<string, unknown>>(isObject, { error: "must be a JSON Schema as an object" })
      .superRefine((schema, ctx) => {
        const problem = isObject(schema) ? checkSchema(schema) : undefined;
        if (problem) ctx.addIssue({ code: "custom", message: schemaMessage(problem) });
      })
      .meta({ type: "object", additionalProperties: true })
      .nullable()
      .optional()
      .meta({
        ...BOUND,
        description: `JSON Schema 2020-12 of ${of}. ${LIMIT}, with the rules of a json_schema criterion. Default: none.`,
      }),
  );
}

/** What is wrong with a schema that the service could not check values against. */
export function schemaMessage({ path, message }: Problem): string {
  return `must be a schema that this service can check: ${clip(path, MOST_POINTER_CHARACTERS) || "the top"} ${message}`;
}

const jsonValue = (whyRefused: (value: unknown) => string | undefined) =>
  z
    .custom<unknown>((value) => value !== undefined, { error: "must be sent" })
    .superRefine((value, ctx) => {
      const message = value === undefined ? undefined : whyRefused(value);
      if (message) ctx.addIssue({ code: "custom", message });
    });

/** The input of an order: any JSON value, or text, which may be as long as the brief that it becomes. */
export const orderInputField = (description: string) =>
  verbatim(
    jsonValue((value) => (typeof value === "string" ? whyUnfitText(value) : whyUnfit(value))).meta({
      ...BOUND,
      description: `${description} ${LIMIT}; as text at most ${MOST_CHARACTERS.toLocaleString("en-GB")} characters.`,
    }),
  );

function whyUnfitText(text: string): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed text";
  return countCharacters(text) > MOST_CHARACTERS ? `must have at most ${MOST_CHARACTERS} characters` : undefined;
}

/** Any JSON value, or nothing. */
export const optionalJsonField = (description: string) =>
  verbatim(
    jsonValue(whyUnfit)
      .optional()
      .meta({ ...BOUND, description: `${description} ${LIMIT}.` }),
  );

/**
 * Where a value fails a schema that `jsonSchemaField` has accepted, as the path of a field, and why; undefined if it fits.
 * @param field the name of the value, with which the path begins
 */
export function misfit(field: string, schema: unknown, value: unknown): { path: string; message: string } | undefined {
  try {
    const problem = validate(schema, value, newDataBudget());
    if (!problem) return undefined;
    const keys = problem.path.split("/").slice(1);
    const path = [field, ...keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))].join(".");
    return { path: clip(path, MOST_POINTER_CHARACTERS).toWellFormed(), message: problem.message };
  } catch (error) {
    if (error instanceof Exhausted) return { path: field, message: "takes too many steps to check against the schema" };
    throw error;
  }
}

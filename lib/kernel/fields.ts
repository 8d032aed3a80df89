import { z } from "zod";
import { decodeCursor } from "./cursor.ts";
import { type IdPrefix, idPattern } from "./ids.ts";
import { CURRENCY, MAX_PENCE } from "./money.ts";
import { countCharacters } from "./text.ts";

// Wire fields that more than one feature uses. Strings arrive normalised (see text.ts).

/** Text of `min` to `max` characters (code points). */
export function text(max: number, min = 1) {
  return z
    .string()
    .superRefine((value, ctx) => {
      const length = countCharacters(value);
      if (length >= min && length <= max) return;
      ctx.addIssue({
        code: "custom",
        message:
          length < min
            ? min === 1
              ? "must not be empty"
              : `must have at least ${min} characters`
            : `must have at most ${max} characters`,
      });
    })
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

// Unicode's line and paragraph separators break a line as a line feed does; other control characters are refused earlier.
const LINE_BREAK = /[\n\u2028\u2029]/;

/** Text of one line: names, titles, labels. */
export function line(max: number, min = 1) {
  return text(max, min)
    .refine((value) => !LINE_BREAK.test(value), "must be a single line")
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max, pattern: "^[^\\n\\u2028\\u2029]*$" });
}

/**
 * A field of a body that expects a secret of this service. All other text fields are refused if they contain one.
 * @param description says what may be sent instead, or where the secret comes from
 */
export function credential(description?: string) {
  return z.string().meta({ format: CREDENTIAL_FORMAT, ...(description ? { description } : {}) });
}

/** How a schema marks a credential. OpenAPI uses this format for input that forms hide. */
const CREDENTIAL_FORMAT = "password";

/** Whether a field of a request is declared with `credential`. */
export function isCredential(field: unknown): boolean {
  for (
    let inner = field;
    inner instanceof z.ZodType;
    inner = inner instanceof z.ZodOptional ? inner.unwrap() : undefined
  )
    if (inner.meta()?.format === CREDENTIAL_FORMAT) return true;
  return false;
}

const taken = z.registry<{ verbatim: true }>();

/** Marks an input field whose spaces and line breaks are kept as sent. */
export function verbatim<Schema extends z.ZodType>(schema: Schema): Schema {
  taken.add(schema, { verbatim: true });
  return schema;
}

const verbatimFields = new WeakMap<z.ZodObject, string[]>();

/** The names of an input's fields that are marked as verbatim. */
export function verbatimFieldsOf(schema: z.ZodObject): string[] {
  let names = verbatimFields.get(schema);
  if (!names) {
    names = Object.keys(schema.shape).filter((name) => taken.has(schema.shape[name] as z.ZodType));
    verbatimFields.set(schema, names);
  }
  return names;
}

export function id(prefix: IdPrefix) {
  const pattern = idPattern(prefix);
  return z.string().regex(pattern, `must be ${prefix}_ and 22 characters of base58`);
}

export const PublicId = id("agt");
export const Pence = z.int().min(0).max(MAX_PENCE);
export const Timestamp = z.iso.datetime({ precision: 3 });
export const Currency = z.literal(CURRENCY);
export const PaymentModeField = z.enum(["TEST", "LIVE"]);
export const HealthStatusField = z.enum(["available", "busy", "maintenance", "offline"]);
export const Sha256 = z.string().regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 lower-case hexadecimal digits");

/** 1 to 100 visible ASCII characters that identify one request permanently. */
export const ClientRequestId = z.string().regex(/^[\x21-\x7e]{1,100}$/, "must be 1 to 100 visible ASCII characters");

/** A skill's name. */
export const Skill = z.string().regex(/^[a-z0-9-]{1,50}$/, "must be 1 to 50 of a-z, 0-9 and -");

/** Whole number in a query string: digits and nothing else. */
export function queryInteger(min: number, max: number) {
  const range =
    max === Number.MAX_SAFE_INTEGER
      ? `must be an integer of at least ${min}`
      : `must be an integer from ${min} to ${max}`;
  return z.preprocess(
    // However long: more than an integer can hold counts as the largest.
    (value) =>
      typeof value === "string" && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value,
    z.int(range).min(min, range).max(max, range),
  );
}

export const MAX_LIMIT = 100;

/** Page size: default 20, more than 100 counts as 100, 0 gives an empty page with its cursors. */
export const Limit = queryInteger(0, Number.MAX_SAFE_INTEGER)
  .default(20)
  .transform((value) => Math.min(value, MAX_LIMIT))
  .meta({
    description: `How many entries: 20 unless given, more than ${MAX_LIMIT} counts as ${MAX_LIMIT}, 0 gives none.`,
  });

export const QueryPence = queryInteger(0, MAX_PENCE);

/** A `seq` to read before or after. */
export const QueryPoint = queryInteger(0, Number.MAX_SAFE_INTEGER);

/** Opaque on the wire, a `seq` inside. */
export const Cursor = z
  .string()
  .superRefine((value, ctx) => {
    if (decodeCursor(value) === undefined) {
      ctx.addIssue({ code: "custom", message: "must be a next_cursor that this list gave" });
    }
  })
  .transform((value) => decodeCursor(value) as string);

export const NextCursor = z.string().nullable();
export const Query = text(200);

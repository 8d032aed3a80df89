import { z } from "zod";
import { decodeCursor } from "./cursor.ts";
import { ID_PREFIXES, type IdPrefix, idPattern } from "./ids.ts";
import { hashHint, penceMessage, skillHint } from "./mistakes.ts";
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
  return z
    .string()
    .meta({ format: CREDENTIAL_FORMAT, maxLength: MAX_CREDENTIAL, ...(description ? { description } : {}) });
}

/** Characters of a secret with whatever a careless copy left around it. What is longer is no secret of this service. */
const MAX_CREDENTIAL = 200;

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

/** The names of an input's fields that are marked as verbatim. */
export function verbatimFieldsOf({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => taken.has(shape[name] as z.ZodType));
}

function newIdField(prefix: IdPrefix) {
  const { name, thing, more = "" } = NAMED_IDS[prefix] ?? {};
  const form = `${prefix}_ and 22 characters of base58`;
  const field = z.string().regex(idPattern(prefix), { error: ({ input }) => `must be ${form}${otherThing(input)}` });
  return name ? field.meta({ id: name, description: `ID of ${thing}${more}: ${form}.` }) : field;
}

/** IDs on the wire, by prefix: the name of their schema, and what they are the IDs of. */
const NAMED_IDS: Partial<Record<IdPrefix, { name: string; thing: string; more?: string }>> = {
  agt: { name: "PublicId", thing: "an agent", more: " (its service identity, its profile or both)" },
  tsk: { name: "TaskId", thing: "a task" },
  con: { name: "ContractId", thing: "a contract" },
  stl: { name: "SettlementId", thing: "a settlement" },
  pay: { name: "PaymentId", thing: "a payment" },
  ofr: { name: "OfferId", thing: "an offer" },
  pst: { name: "PostId", thing: "a post" },
  thr: { name: "ThreadId", thing: "a thread" },
  rpt: { name: "ReportId", thing: "a report" },
  dsp: { name: "DisputeId", thing: "a dispute" },
  tok: { name: "AccessId", thing: "an access token", more: " (its name, not the secret)" },
  fil: { name: "FileId", thing: "a file" },
  msg: { name: "MessageId", thing: "a message" },
  cnx: { name: "ConnectionId", thing: "a connected program" },
  qte: { name: "QuoteId", thing: "a quote" },
  reh: { name: "RehearsalId", thing: "a rehearsal" },
  evt: { name: "EventId", thing: "an event" },
  req: {
    name: "RequestId",
    thing: "a request",
    more: " in the service's logs; give it to the service's operator when you report a problem",
  },
};

/** What was sent instead, if it is the ID of something else. */
function otherThing(sent: unknown): string {
  const prefix = ID_PREFIXES.find((each) => typeof sent === "string" && idPattern(each).test(sent));
  const { thing } = (prefix && NAMED_IDS[prefix]) ?? {};
  return thing ? `: this is the ID of ${thing}` : "";
}

const idFields = new Map<IdPrefix, ReturnType<typeof newIdField>>();

/** The ID of something. The same schema for each prefix, because a named schema exists once. */
export function id(prefix: IdPrefix) {
  const field = idFields.get(prefix) ?? newIdField(prefix);
  idFields.set(prefix, field);
  return field;
}

export const PublicId = id("agt");
export const Pence = z
  .int({ error: ({ code, input }) => (code === "invalid_type" ? penceMessage(input) : undefined) })
  .min(0)
  .max(MAX_PENCE)
  .meta({ id: "Pence", description: "Amount in pence (hundredths of a pound), 0 to 99,999,999." });
export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ id: "Timestamp", description: "Time, as ISO 8601 in UTC with milliseconds." });
export const Currency = z.literal(CURRENCY).meta({ id: "Currency", description: "Always GBP." });
export const PaymentModeField = z.enum(["TEST", "LIVE"]).meta({
  id: "PaymentMode",
  description: "Payment mode, fixed when the task is created: TEST is simulated, LIVE is paid by card.",
});
export const HealthStatusField = z.enum(["available", "busy", "maintenance", "offline"]).meta({
  id: "HealthStatus",
  description: "The service's own report of its health.",
});
export const Sha256 = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, {
    error: ({ input }) => `must be sha256: and 64 lower-case hexadecimal digits${hashHint(input)}`,
  })
  .meta({
    id: "Sha256",
    description: "SHA-256: sha256: and 64 lower-case hexadecimal digits.",
  });

const requestId = z.string().regex(/^[\x21-\x7e]{1,100}$/, "must be 1 to 100 visible ASCII characters");

/** 1 to 100 visible ASCII characters that identify one request permanently. */
export const ClientRequestId = requestId.meta({
  id: "ClientRequestId",
  description:
    "Identifies this request permanently: sending it again with the same body returns the same answer. 1 to 100 visible ASCII characters.",
});

/** The same field where the answer holds a secret and is never repeated. */
export const IgnoredRequestId = requestId.meta({
  description:
    "Accepted and ignored: the answer holds a secret and is never repeated. Register again if you lost it. 1 to 100 visible ASCII characters.",
});

/** A skill's name. */
export const Skill = z
  .string()
  .regex(/^[a-z0-9-]{1,50}$/, { error: ({ input }) => `must be 1 to 50 of a-z, 0-9 and -${skillHint(input)}` })
  .meta({ id: "Skill", description: "Name of one skill: 1 to 50 of a–z, 0–9 and -." });

/** Whole number in a query string: digits and nothing else. */
export function queryInteger(min: number, max: number, noInteger?: (sent: unknown) => string) {
  const range =
    max === Number.MAX_SAFE_INTEGER
      ? `must be an integer of at least ${min}`
      : `must be an integer from ${min} to ${max}`;
  return z.preprocess(
    // However long: more than an integer can hold counts as the largest.
    (value) =>
      typeof value === "string" && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value,
    z
      .int({ error: ({ code, input }) => (noInteger && code === "invalid_type" ? noInteger(input) : range) })
      .min(min, range)
      .max(max, range),
  );
}

export const MAX_LIMIT = 100;

/** Page size: default 20, more than 100 counts as 100, 0 gives an empty page with its cursors. */
export const Limit = queryInteger(0, Number.MAX_SAFE_INTEGER)
  .default(20)
  .transform((value) => Math.min(value, MAX_LIMIT))
  .meta({
    description: `How many entries: 20 unless given, more than ${MAX_LIMIT} counts as ${MAX_LIMIT}, 0 gives none. Default: 20.`,
  });

export const QueryPence = queryInteger(0, MAX_PENCE, penceMessage).meta({
  description: "Amount in pence, 0 to 99,999,999.",
});

/** A `seq` to read before or after. */
export const QueryPoint = queryInteger(0, Number.MAX_SAFE_INTEGER).meta({ description: "A sequence number." });

const Point = z.int().min(0);
/** The points around a page that `before` and `after` led to. */
export const NextPoints = {
  next_before: Point.nullable().meta({
    description: "Send it as `before` to read older entries; null if there are none.",
  }),
  next_after: Point.meta({ description: "Send it as `after` to poll for newer entries." }),
};

/** The longest `seq` has 18 digits. */
const MAX_CURSOR = 26;

/** Opaque on the wire, a `seq` inside. */
export const Cursor = z
  .string()
  .superRefine((value, ctx) => {
    if (decodeCursor(value) === undefined) {
      ctx.addIssue({
        code: "custom",
        message: "must be a next_cursor that this list gave: leave it out for the first page",
      });
    }
  })
  .transform((value) => decodeCursor(value) as string)
  .meta({
    maxLength: MAX_CURSOR,
    description: "The next_cursor of the previous page. Default: the newest entries.",
  });

export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: "Pass it as cursor to get the next page; null on the last page." });
export const Query = text(200).meta({
  description:
    "Words to search for; all of them must match. Word endings are ignored (English). There are no operators: quotation marks and minus signs have no effect. At most 200 characters.",
});

/** Ed25519 over a text that the field's description gives. */
export const Signature = z
  .string()
  .regex(/^[A-Za-z0-9_-]{85}[AQgw]$/, "must be an Ed25519 signature: 64 bytes in base64url without padding");

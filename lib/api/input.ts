import type { ZodError, ZodObject, ZodRawShape, z } from "zod";
import { ApiError, type FieldError, invalidInput, sentence } from "#lib/kernel/errors.ts";
import { verbatimFieldsOf } from "#lib/kernel/fields.ts";
import { didYouMean, nearest } from "#lib/kernel/mistakes.ts";
import { pacedWork } from "#lib/kernel/paced-work.ts";
import { containsSecret } from "#lib/kernel/secrets.ts";
import { clip, MAX_FIELD_ERRORS, normalizeText, normalizeTree, pathSegment, treeBudget } from "#lib/kernel/text.ts";
import type { ApiRequest } from "./exchange.ts";
import { secretsInText } from "./secrets-in-text.ts";

export const MAX_BODY_BYTES = 256 * 1024;

/** What was sent, before it is checked: an object, or the reason why there is none. */
export type RawInput = RawValue | { problem: FieldError };
type RawValue = {
  value: Record<string, unknown>;
  /** Names of parameters that the call does not have, at most `NAMED_UNKNOWN`. */
  ignored?: string[];
  /** What has been found wrong with it already. */
  refused?: FieldError[];
  /** Why a field that is required is missing, if it was sent where it does not belong. */
  misplaced?: (name: string) => string | undefined;
};

/** @throws ApiError unsupported_media_type, body_too_large */
export function checkBodyShape(request: ApiRequest): void {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    const found = mediaType
      ? (OTHER_TYPES[mediaType] ?? "The Content-Type of the body is not application/json.")
      : "The Content-Type header is missing.";
    throw new ApiError(
      "unsupported_media_type",
      `${found} Send a JSON object as the body, with the header Content-Type: application/json.`,
    );
  }
  checkLength(request);
}

const OTHER_TYPES: Record<string, string> = {
  "application/x-www-form-urlencoded": "The body is form data (curl's -d sends that unless a header says otherwise).",
  "multipart/form-data": "The body is form data.",
  "text/plain": "The body is plain text.",
};

function checkLength(request: ApiRequest): void {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

const tooLarge = () => new ApiError("body_too_large", `The body is larger than ${MAX_BODY_BYTES / 1024} KiB.`);

/** URLs end up in logs and histories, so a request with a secret in its URL is refused, whatever the parameter is called. */
export function refuseSecretInQuery(search: string): void {
  if (search.length < 48) return;
  // Checked both as text and as decoded parameters, so that encoding cannot hide a secret.
  const texts = [search, ...[...new URLSearchParams(search)].flat()];
  if (texts.some(containsSecret)) {
    throw invalidInput("query", "must not contain a token or key: send it in the Authorization header");
  }
}

/** Parsing a longer body takes milliseconds. */
const LONG_BODY_BYTES = 32 * 1024;
const deliverRound = pacedWork(1);

/** @throws ApiError body_too_large */
export async function readJsonBody(request: ApiRequest): Promise<RawInput> {
  const bytes = await readBody(request);
  if (bytes.byteLength === 0) return bodyProblem("is empty: send a JSON object");
  const value = await parseJson(bytes);
  if (value === NOT_JSON) return bodyProblem(`must be valid JSON in UTF-8${jsonHint(bytes)}`);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { value: value as Record<string, unknown> };
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  const isEncodedTwice = typeof value === "string" && value.trim().startsWith("{");
  return bodyProblem(`must be a JSON object, not ${found}${isEncodedTwice ? ": it is encoded twice" : ""}`);
}

const bodyProblem = (message: string): RawInput => ({ problem: { path: "body", message } });

/** What to look for in a body that is not JSON. */
function jsonHint(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, LONG_BODY_BYTES));
  if (/:\s*(?:True|False|None|undefined|NaN)\b/.test(text))
    return ": write true, false and null in lower case, and leave out what is undefined";
  if (/[{[,\s]\/[/*]/.test(text)) return ": look for a comment, which JSON does not have";
  if (/,\s*[}\]]/.test(text)) return ": look for a comma before a closing bracket";
  if (hasLineBreakInString(text)) return ": look for a line break inside a string, which is written as \\n";
  if (/[{[,:]\s*'/.test(text)) return ": look for single quotation marks, which JSON does not have";
  if (/[{,]\s*[A-Za-z_]+\s*:/.test(text)) return ": look for names without double quotation marks";
  if (/^[A-Za-z_]+=/.test(text)) return ": this is form data";
  return /^\s*\{/.test(text) && !/\}\s*$/.test(text) ? ": its end is missing" : "";
}

/** What `readJson` returns for a body that is not JSON. */
export const NOT_JSON = Symbol("not JSON");

function hasLineBreakInString(text: string): boolean {
  let inside = false;
  for (let at = 0; at < text.length; at += 1) {
    if (inside && text[at] === "\n") return true;
    if (inside && text[at] === "\\") at += 1;
    else if (text[at] === '"') inside = !inside;
  }
  return false;
}

/** Any JSON value, or `NOT_JSON`. @throws ApiError body_too_large */
export async function readJson(request: ApiRequest): Promise<unknown> {
  return parseJson(await readBody(request));
}

async function parseJson(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  // Long bodies are parsed one at a time, so that they cannot block everything else.
  if (bytes.byteLength > LONG_BODY_BYTES) await new Promise<void>(deliverRound);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return NOT_JSON;
  }
}

/** @throws ApiError body_too_large */
export async function readBody(request: ApiRequest): Promise<Uint8Array<ArrayBuffer>> {
  checkLength(request);
  const bytes = request.headers.has("content-length")
    ? new Uint8Array(await request.arrayBuffer())
    : await readAtMost(request.body, MAX_BODY_BYTES);
  if (!bytes || bytes.byteLength > MAX_BODY_BYTES) throw tooLarge();
  return bytes;
}

/**
 * A body of unknown length; undefined if it has more than `most` bytes. Its chunks may be a byte each, so they are copied together:
 * to keep each would take hundreds of times the memory.
 */
export async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let bytes = new Uint8Array(Math.min(most, FIRST_BYTES));
  let size = 0;
  for await (const chunk of body ?? []) {
    const end = size + chunk.byteLength;
    if (end > most) return undefined;
    if (end > bytes.byteLength) {
      const larger = new Uint8Array(Math.min(most, 2 * end));
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(chunk, size);
    size = end;
  }
  return bytes.subarray(0, size);
}

const FIRST_BYTES = 1_024;

const NAMED_UNKNOWN = 10;

/** The declared parameters of a query string; unknown ones are ignored, a repeated one is a problem. */
export function readQuery(params: URLSearchParams, declared: string[]): RawInput {
  const value: Record<string, unknown> = {};
  for (const name of declared) {
    const [first, ...more] = params.getAll(name);
    if (more.length > 0) return { problem: { path: name, message: "must be given once" } };
    if (first !== undefined) value[name] = first;
  }
  const ignored = [...new Set(params.keys())].filter((name) => !declared.includes(name)).slice(0, NAMED_UNKNOWN);
  return ignored.length > 0 ? { value, ignored } : { value };
}

/**
 * Normalises and validates what was sent.
 * @throws ApiError invalid_input with every field that is wrong
 */
export function parseInput<S extends ZodObject<ZodRawShape>>(schema: S, raw: RawInput): z.output<S> {
  if ("problem" in raw) throw invalidInput(raw.problem.path, raw.problem.message);
  // An unknown property is refused, so its value is not checked.
  const { known, errors } = knownProperties(schema, raw.value);
  errors.unshift(...(raw.refused ?? []));
  const budget = treeBudget();
  normalizeTree(known, errors, "", 0, budget, normalizeText, verbatimFieldsOf(schema));
  // Nothing else looks at a tree that this has not seen whole.
  if (errors.length >= MAX_FIELD_ERRORS || budget.values < 0) throw invalidFields(errors);
  errors.push(...secretsInText(schema.shape, known));
  const parsed = schema.safeParse(known, { reportInput: true });
  if (!parsed.success) errors.push(...fieldErrors(parsed.error).map((error) => withReason(error, raw)));
  if (errors.length > 0 || !parsed.success) throw invalidFields(errors);
  return parsed.data;
}

/** A missing field that was probably sent under a wrong name, which was ignored, or in a wrong place. */
function withReason({ path, message }: FieldError, { ignored = [], misplaced }: RawValue): FieldError {
  if (message !== REQUIRED) return { path, message };
  const sent = ignored.find((name) => nearest(name, [path]));
  const reason = sent ? `the name is ${path}, not ${sent}` : misplaced?.(path);
  return { path, message: reason ? `${message}: ${reason}` : message };
}

/** Fields of a POST that are in the query, and those of a GET that has a body. */
export function misplacedIn({ method, headers }: ApiRequest, query: URLSearchParams): RawValue["misplaced"] {
  if (method === "POST")
    return (name) => (query.has(name) ? "it goes into the JSON body, not into the query" : undefined);
  const hasBody = Number(headers.get("content-length") ?? 0) > 0;
  return hasBody ? () => "a GET takes its fields in the query, not in a body" : undefined;
}

function knownProperties({ shape }: ZodObject<ZodRawShape>, value: Record<string, unknown>) {
  const sent = Object.keys(value);
  const unknown = sent.filter((name) => !Object.hasOwn(shape, name));
  if (unknown.length === 0) return { known: value, errors: [] };
  const known = Object.fromEntries(
    sent.filter((name) => Object.hasOwn(shape, name)).map((name) => [name, value[name]]),
  );
  const named = unknown.slice(0, NAMED_UNKNOWN);
  const errors = named.map((name) => unknownProperty(pathSegment(name), Object.keys(shape)));
  // Nothing like it: the first such error lists what there is.
  const alien = errors.find(({ message }) => message === UNKNOWN);
  if (alien) alien.message = `${UNKNOWN}, which has ${Object.keys(shape).join(", ")}`;
  return { known, errors };
}

const UNKNOWN = "is not a property of this request";

function unknownProperty(path: string, known: string[] = []): FieldError {
  const help = CREDENTIAL_NAMES.has(path)
    ? ": send the token or key in the header Authorization: Bearer"
    : didYouMean(path, known);
  return { path: path || '""', message: `${UNKNOWN}${help}` };
}

const CREDENTIAL_NAMES = new Set(["management_token", "community_key", "token", "api_key", "authorization"]);

const SUMMARISED = 5;
const MAX_SUMMARY = 500;
const MAX_PATH = 200;
/** Bytes of JSON. Fifty ordinary errors fit. */
const MAX_REPORT_BYTES = 5_000;

/** The summary names the first few errors and the list is cut short, so that the answer stays small whatever was sent. */
function invalidFields(errors: FieldError[]): ApiError {
  let bytes = 0;
  const short = errors.slice(0, MAX_FIELD_ERRORS).map(({ path, message }) => ({ path: clip(path, MAX_PATH), message }));
  const fieldErrors = short.filter((error) => {
    bytes += Buffer.byteLength(JSON.stringify(error));
    return bytes <= MAX_REPORT_BYTES;
  });
  const summary = short.slice(0, SUMMARISED).map(({ path, message }) => `${path} ${message}`);
  return new ApiError("invalid_input", sentence(clip(summary.join("; "), MAX_SUMMARY)), { fieldErrors });
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

const REQUIRED = "is required";

/** Which type a value must have, and what makes it another one. */
function wrongType(expected: string, input: unknown): string {
  const rule = `must be ${TYPE_NAMES[expected] ?? expected}`;
  if (input === null) return `${rule}, not null`;
  if (expected === "array") return `${rule}, in square brackets`;
  if (expected === "string") {
    if (typeof input !== "object") return `${rule}, in quotation marks`;
    return `${rule}, not ${Array.isArray(input) ? "an array" : "an object, which you can send encoded as JSON text"}`;
  }
  return typeof input === "string" && /^(?:true|false|-?\d+)$/i.test(input) ? `${rule}, without quotation marks` : rule;
}

/** What is wrong with a value that may have one of several forms: the errors of the form that it comes closest to. */
function unionErrors(issue: z.core.$ZodIssueInvalidUnion, path: string): FieldError[] {
  if ("discriminator" in issue && issue.discriminator) {
    const { options = [] } = issue as { options?: unknown[] };
    return [
      { path, message: options.length > 0 ? `must be ${options.map(String).join(" or ")}` : "has the wrong value" },
    ];
  }
  const isOfOtherType = ({ code, path: at }: z.core.$ZodIssue) => code === "invalid_type" && at.length === 0;
  const close = issue.errors.find((issues) => !issues.some(isOfOtherType));
  if (!close) {
    const types = issue.errors.flatMap((issues) =>
      issues.flatMap((each) => (each.code === "invalid_type" ? [TYPE_NAMES[each.expected] ?? each.expected] : [])),
    );
    return [{ path, message: `must be ${[...new Set(types)].join(" or ")}` }];
  }
  return fieldErrors({ issues: close }).map((error) => ({
    ...error,
    path: [path, error.path].filter(Boolean).join("."),
  }));
}

function fieldErrors(error: Pick<ZodError, "issues">): FieldError[] {
  return error.issues.slice(0, MAX_FIELD_ERRORS).flatMap((issue): FieldError[] => {
    const path = issue.path.map(pathSegment).join(".");
    switch (issue.code) {
      case "unrecognized_keys":
        return issue.keys
          .slice(0, NAMED_UNKNOWN)
          .map((key) => unknownProperty([path, pathSegment(key)].filter(Boolean).join(".")));
      case "invalid_type":
        if (issue.input === undefined) return [{ path, message: REQUIRED }];
        return [
          {
            path,
            message: issue.message.startsWith("must") ? issue.message : wrongType(issue.expected, issue.input),
          },
        ];
      case "invalid_value": {
        if (issue.input === undefined) return [{ path, message: REQUIRED }];
        const values = issue.values.map(String);
        return [{ path, message: `must be ${values.join(" or ")}${didYouMean(issue.input, values)}` }];
      }
      case "too_small":
      case "too_big": {
        const bound = issue.code === "too_small" ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
        const entries = issue.code === "too_small" && issue.minimum === 1 ? "entry" : "entries";
        const what = issue.origin === "array" ? `must have ${bound} ${entries}` : `must be ${bound}`;
        return [{ path, message: issue.message.startsWith("must") ? issue.message : what }];
      }
      case "invalid_union":
        return unionErrors(issue, path);
      default:
        return [{ path, message: issue.message.startsWith("must") ? issue.message : "has the wrong form" }];
    }
  });
}

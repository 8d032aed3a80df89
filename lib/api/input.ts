import type { ZodError, ZodObject, ZodRawShape, z } from "zod";
import { ApiError, type FieldError, invalidInput } from "#lib/kernel/errors.ts";
import { verbatimFieldsOf } from "#lib/kernel/fields.ts";
import { containsSecret } from "#lib/kernel/secrets.ts";
import { clip, MAX_FIELD_ERRORS, normalizeTree, pathSegment, verbatimText } from "#lib/kernel/text.ts";
import { inTurns } from "#lib/kernel/turns.ts";
import type { ApiRequest } from "./exchange.ts";
import { secretsInText } from "./secrets-in-text.ts";

export const MAX_BODY_BYTES = 256 * 1024;

/** What was sent, before it is checked: an object, or the reason why there is none. */
export type RawInput = { value: Record<string, unknown> } | { problem: FieldError };

/** @throws ApiError unsupported_media_type, body_too_large */
export function checkBodyShape(request: ApiRequest): void {
  const mediaType = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new ApiError("unsupported_media_type", "Send the body as Content-Type: application/json.");
  }
  checkLength(request);
}

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
const takeTurn = inTurns(1);

/** @throws ApiError body_too_large */
export async function readJsonBody(request: ApiRequest): Promise<RawInput> {
  const value = await readJson(request);
  if (value === NOT_JSON) return { problem: { path: "body", message: "must be valid JSON in UTF-8" } };
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { value: value as Record<string, unknown> };
  return { problem: { path: "body", message: "must be a JSON object" } };
}

/** What `readJson` returns for a body that is not JSON. */
export const NOT_JSON = Symbol("not JSON");

/** Any JSON value, or `NOT_JSON`. @throws ApiError body_too_large */
export async function readJson(request: ApiRequest): Promise<unknown> {
  const bytes = await readBody(request);
  // Long bodies are parsed one at a time, so that they cannot block everything else.
  if (bytes.byteLength > LONG_BODY_BYTES) await new Promise<void>(takeTurn);
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
    : await readBounded(request);
  if (bytes.byteLength > MAX_BODY_BYTES) throw tooLarge();
  return bytes;
}

async function readBounded(request: ApiRequest): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

/** The declared parameters of a query string; unknown ones are ignored, a repeated one is a problem. */
export function readQuery(params: URLSearchParams, declared: string[]): RawInput {
  const value: Record<string, unknown> = {};
  for (const name of declared) {
    const [first, ...more] = params.getAll(name);
    if (more.length > 0) return { problem: { path: name, message: "must be given once" } };
    if (first !== undefined) value[name] = first;
  }
  return { value };
}

/**
 * Normalises and validates what was sent.
 * @throws ApiError invalid_input with every field that is wrong
 */
export function parseInput<S extends ZodObject<ZodRawShape>>(schema: S, raw: RawInput): z.output<S> {
  if ("problem" in raw) throw invalidInput(raw.problem.path, raw.problem.message);
  // An unknown property is refused, so its value is not checked.
  const { known, errors } = knownProperties(schema, raw.value);
  const asSent = verbatimFieldsOf(schema).map((name) => [name, known[name]] as const);
  normalizeTree(known, errors);
  if (errors.length >= MAX_FIELD_ERRORS) throw invalidFields(errors);
  errors.push(...secretsInText(schema.shape, known));
  for (const [name, text] of asSent) if (typeof text === "string") known[name] = verbatimText(text);
  const parsed = schema.safeParse(known, { reportInput: true });
  if (!parsed.success) errors.push(...fieldErrors(parsed.error));
  if (errors.length > 0 || !parsed.success) throw invalidFields(errors);
  return parsed.data;
}

const NAMED_UNKNOWN = 10;

function knownProperties(schema: ZodObject<ZodRawShape>, value: Record<string, unknown>) {
  const names = Object.keys(value);
  const unknown = names.filter((name) => !Object.hasOwn(schema.shape, name));
  if (unknown.length === 0) return { known: value, errors: [] };
  const known = Object.fromEntries(
    names.filter((name) => Object.hasOwn(schema.shape, name)).map((name) => [name, value[name]]),
  );
  return { known, errors: unknown.slice(0, NAMED_UNKNOWN).map((name) => unknownProperty(pathSegment(name))) };
}

function unknownProperty(path: string): FieldError {
  return { path: path || '""', message: "is not a property of this request" };
}

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
  return new ApiError("invalid_input", `${clip(summary.join("; "), MAX_SUMMARY)}.`, { fieldErrors });
}

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

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
        if (issue.input === undefined) return [{ path, message: "is required" }];
        return [
          {
            path,
            message: issue.message.startsWith("must")
              ? issue.message
              : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`,
          },
        ];
      case "invalid_value":
        if (issue.input === undefined) return [{ path, message: "is required" }];
        return [{ path, message: `must be ${issue.values.map(String).join(" or ")}` }];
      case "too_small":
        return [
          { path, message: issue.message.startsWith("must") ? issue.message : `must be at least ${issue.minimum}` },
        ];
      case "too_big": {
        const what =
          issue.origin === "array" ? `must have at most ${issue.maximum} entries` : `must be at most ${issue.maximum}`;
        return [{ path, message: issue.message.startsWith("must") ? issue.message : what }];
      }
      case "invalid_union":
        return unionErrors(issue, path);
      default:
        return [{ path, message: issue.message.startsWith("must") ? issue.message : "has the wrong form" }];
    }
  });
}

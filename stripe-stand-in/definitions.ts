import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RawFields } from "./form.ts";

// Stripe's own definitions of the operations that Guildhall calls (definitions.json). Requests are read according to them, and answers are checked
// against them: the stand-in's code and its tests could be wrong in the same way.

type Kind = string | [Kind] | [Kind, number] | { [field: string]: Kind };
type Fields = Record<string, Kind>;

const {
  operations,
  objects,
  errors: { v1_types: ERROR_TYPES, ...ERROR_CODES },
}: {
  operations: Record<string, { request: Fields; answer: string }>;
  objects: Record<string, Fields>;
  errors: Record<string, string[]>;
} = JSON.parse(readFileSync(join(import.meta.dirname, "definitions.json"), "utf8"));

const OPERATIONS = Object.entries(operations).map(([name, operation]) => ({
  name,
  pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`),
  // A fixed path comes before one with a parameter.
  isFixed: !name.includes("{"),
  ...operation,
}));
OPERATIONS.sort((one, other) => Number(other.isFixed) - Number(one.isFixed));

/** @throws Error for an operation that the definitions do not contain */
function operationOf(method: string, path: string) {
  const operation = OPERATIONS.find(({ pattern }) => pattern.test(`${method} ${path}`));
  if (!operation) throw new Error(`definitions.json lacks ${method} ${path}.`);
  return operation;
}

/**
 * Reads a request's parameters. Besides what Stripe's definitions do not allow, a parameter that the stand-in does not imitate (`any`)
 * is wrong, so that no test passes on one without effect.
 */
export function readRequest(method: string, path: string, raw: RawFields): { wrong: string[]; params: object } {
  const { request } = operationOf(method, path);
  const wrong = wrongFields(request, raw, "", true);
  return { wrong, params: wrong.length > 0 ? {} : readFields(request, raw) };
}

/** The values of a request in which nothing is wrong: in a form, numbers, flags and lists are text. */
function readFields(fields: Fields, given: Record<string, unknown>): Record<string, unknown> {
  const kinds = new Map(Object.entries(fields).map(([key, kind]) => [key.replace(/[!?]+$/, ""), kind]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, readValue(kinds.get(name) as Kind, value)]),
  );
}

function readValue(kind: Kind, value: unknown): unknown {
  if (Array.isArray(kind)) return Object.values(value as object).map((item) => readValue(kind[0], item));
  if (typeof kind === "object") return readFields(kind, value as Record<string, unknown>);
  if (/^(?:integer|time|range)\b/.test(kind)) return isObject(value) ? mapped(value, Number) : Number(value);
  return kind === "flag" ? String(value) === "true" : value;
}

const isBound = ([name, value]: [string, unknown]) =>
  ["gt", "gte", "lt", "lte"].includes(name) && NUMBER.test(String(value));

const mapped = <T>(values: Record<string, unknown>, read: (value: unknown) => T) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(value)]));

/** What Stripe's definitions do not allow in an answer. */
export function wrongAnswer(method: string, path: string, status: number, body: object): string[] {
  const operation = operationOf(method, path);
  if (status >= 400) return wrongError(operation.name, path, body);
  const given = body as Record<string, unknown>;
  const [, listed] = /^list (.+)$/.exec(operation.answer) ?? [];
  if (!listed) return wrongValue(`@${operation.answer}`, given, operation.answer, false);
  const shape: Fields = path.startsWith("/v2/")
    ? { "data!": [`@${listed}`], "next_page_url!?": "text", "previous_page_url!?": "text" }
    : { "object!": "=list", "data!": [`@${listed}`], "has_more!": "flag", "url!": "text:5000" };
  return wrongFields(shape, given, operation.answer, false);
}

function wrongError(operation: string, path: string, body: object): string[] {
  const { error } = body as { error?: Record<string, unknown> };
  if (!error || typeof error.message !== "string") return ["error.message is missing"];
  if (!path.startsWith("/v2/"))
    return ERROR_TYPES?.includes(String(error.type)) ? [] : [`error.type is ${String(error.type)}`];
  // A code that an operation does not list may come too, as a general error; one that another lists may not.
  const code = String(error.code);
  const isElsewhere = Object.values(ERROR_CODES).some((codes) => codes.includes(code));
  return isElsewhere && !ERROR_CODES[operation]?.includes(code) ? [`error.code is ${code}`] : [];
}

/** @param isRequest all values are text, and a name that is not defined is wrong */
function wrongFields(fields: Fields, given: Record<string, unknown>, path: string, isRequest: boolean): string[] {
  const known = new Map(
    Object.entries(fields).map(([key, kind]) => [
      key.replace(/[!?]+$/, ""),
      { kind, mark: key.replace(/^[^!?]+/, "") },
    ]),
  );
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const unknown = isRequest ? Object.keys(given).filter((name) => !known.has(name)) : [];
  return [
    ...unknown.map((name) => `${at(name)} is not defined`),
    ...[...known].flatMap(([name, { kind, mark }]) => {
      const value = given[name];
      if (value === undefined) return mark.includes("!") ? [`${at(name)} is missing`] : [];
      if (value === null) return mark.includes("?") || kind === "any" ? [] : [`${at(name)} is null`];
      return wrongValue(kind, value, at(name), isRequest);
    }),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function wrongValue(kind: Kind, value: unknown, path: string, isRequest: boolean): string[] {
  if (typeof kind === "string") return wrongLeaf(kind, value, path, isRequest);
  if (!Array.isArray(kind))
    return isObject(value) ? wrongFields(kind, value, path, isRequest) : [`${path} is no object`];
  const items = Array.isArray(value) ? value : isRequest && isObject(value) ? Object.values(value) : undefined;
  if (!items) return [`${path} is no list`];
  const [each, most = Number.POSITIVE_INFINITY] = kind;
  return [
    ...(items.length > most ? [`${path} has ${items.length} items, not ${most} at most`] : []),
    ...items.flatMap((item, at) => wrongValue(each, item, `${path}.${at}`, isRequest)),
  ];
}

const NUMBER = /^-?\d{1,15}$/;

function wrongLeaf(kind: string, value: unknown, path: string, isRequest: boolean): string[] {
  const unless = (fits: boolean) => (fits ? [] : [`${path} is ${JSON.stringify(value)}, not ${kind}`]);
  const isText = typeof value === "string";
  const isNumber = Number.isSafeInteger(value) || (isRequest && isText && NUMBER.test(value));
  const [name = "", bound = ""] = kind.split(":");
  if (kind.startsWith("@"))
    return isObject(value) ? wrongFields(objects[kind.slice(1)] ?? {}, value, path, isRequest) : unless(false);
  if (kind.startsWith("=")) return unless(kind.slice(1).split("|").includes(String(value)));
  if (kind.startsWith("~")) return unless(isText);
  switch (name) {
    case "text":
      return unless(isText && value.length <= Number(bound || Number.POSITIVE_INFINITY));
    case "currency":
      return unless(isText && /^[a-z]{3}$/.test(value));
    case "time":
      return unless(isNumber);
    case "integer": {
      const [least, most] = bound.split("..");
      const fits = (!least || Number(value) >= Number(least)) && (!most || Number(value) <= Number(most));
      return unless(isNumber && fits);
    }
    case "flag":
      return unless(typeof value === "boolean" || (isRequest && (value === "true" || value === "false")));
    case "id": {
      if (isText) return [];
      const { object } = isObject(value) ? value : {};
      const fits = typeof object === "string" && bound.split("|").includes(object);
      return fits ? wrongLeaf(`@${object}`, value, path, isRequest) : unless(false);
    }
    case "metadata":
      return unless(
        (isRequest && value === "") ||
          (isObject(value) && Object.values(value).every((each) => String(each).length <= 500)),
      );
    case "integers":
      return unless(isObject(value) && Object.values(value).every(Number.isSafeInteger));
    case "range":
      return unless(isNumber || (isObject(value) && Object.entries(value).every(isBound)));
    case "object":
      return unless(isObject(value));
    default:
      return isRequest ? [`${path} is not imitated`] : [];
  }
}

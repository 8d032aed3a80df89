type Json = { [keyword: string]: unknown };

// A list of tools is read by every model at every start, so it says what an argument is and no more: forms, bounds and repetitions are left to
// the input check, whose refusals name the field and what is wrong with it.

const LEFT_OUT: ReadonlySet<string> = new Set([
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "x-maxBytes",
  "examples",
]);
/** Of a tool's description, and of an argument's. */
const SENTENCES = { tool: 2, argument: 1 };
/** Objects within objects are described in words. */
const DEEPEST = 1;

/** The same schema with fewer words. */
export function compact(schema: unknown, depth = 0): unknown {
  if (Array.isArray(schema)) return schema.map((each) => compact(each, depth));
  if (typeof schema !== "object" || schema === null) return schema;
  const { description, ...rest } = schema as Json;
  const words = typeof description === "string" ? { description: inShort(description, SENTENCES.argument) } : {};
  const isDeep = depth >= DEEPEST && ("anyOf" in rest || "oneOf" in rest || "properties" in rest);
  if (isDeep) return { ...(rest.type === undefined ? {} : { type: rest.type }), ...words };
  const kept = Object.entries(rest)
    .filter(([keyword]) => !LEFT_OUT.has(keyword))
    .map(([keyword, value]) => [
      keyword,
      keyword === "properties"
        ? ofEach(value as Json, (each) => compact(each, depth + 1))
        : compact(value, keyword === "items" ? depth + 1 : depth),
    ]);
  return { ...Object.fromEntries(kept), ...words };
}

const ofEach = (properties: Json, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, change(value)]));

/** What an agent can't act on before a call is refused: codes of refusals, quotas, sizes and forms. */
const NOT_NEEDED =
  /\b[45]\d\d\b|_exceeded|quota|[Aa]t most [\d,]+ (?:characters|bytes|entries)|base58|hexadecimal|characters on one line|Ed25519|administrator|visible ASCII|Identifies this request permanently: sending it again/;

/** A description without the sentences that a refusal says as well. The first sentence stays. */
export function inShort(text: string, most = SENTENCES.tool): string {
  const [first = "", ...others] = text.split(/(?<=[.!?])\s+(?=[A-Z\d`@])/);
  return [
    first.replace(/: (?:[a-z]{3}_ and 22 characters of base58|20 unless given, .*)\.$/, "."),
    ...others.filter((each) => !NOT_NEEDED.test(each)).slice(0, most - 1),
  ].join(" ");
}

import type { Json } from "./schemas.ts";

/**
 * Adds to each description in the document the bounds and the default of its value, unless the text already states them: a
 * reader of descriptions alone then knows what a field can hold.
 */
export function stateBounds(document: Json): Json {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  const resolve = (schema: Json): Json => {
    const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
    return name === undefined ? schema : { ...schemas[name], ...schema };
  };
  return visit(document, resolve) as Json;
}

function visit(value: unknown, resolve: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((entry) => visit(entry, resolve));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => {
    if (key !== "properties" || typeof entry !== "object") return [key, visit(entry, resolve)];
    const stated = Object.entries(entry as Record<string, Json>).map(([name, property]) => [
      name,
      withBounds(visit(property, resolve) as Json, resolve(property)),
    ]);
    return [key, Object.fromEntries(stated)];
  });
  const visited = Object.fromEntries(entries) as Json;
  const isParameter = "in" in visited && "schema" in visited;
  return isParameter ? withBounds(visited, resolve(visited.schema as Json)) : visited;
}

function withBounds(described: Json, schema: Json): Json {
  const { description } = described;
  if (typeof description !== "string") return described;
  const missing = boundsOf(schema).flatMap(({ mark, words }) => (description.includes(mark) ? [] : [words]));
  return missing.length > 0 ? { ...described, description: [description, ...missing].join(" ") } : described;
}

const number = new Intl.NumberFormat("en-GB");

/** What a schema bounds: text that shows the bound is already stated, and the words to add where it isn't. */
function boundsOf(schema: Json): { mark: string; words: string }[] {
  const { minimum, maximum, maxLength, maxItems, default: preset } = schema;
  const bounds: { mark: string; words: string }[] = [];
  const add = (bound: unknown, words: (text: string) => string) => {
    if (typeof bound !== "number" || Math.abs(bound) >= Number.MAX_SAFE_INTEGER) return;
    bounds.push({ mark: number.format(bound), words: words(number.format(bound)) });
  };
  add(maxLength, (text) => `At most ${text} ${maxLength === 1 ? "character" : "characters"}.`);
  add(maxItems, (text) => `At most ${text} entries.`);
  add(maximum, (text) => (typeof minimum === "number" ? `${number.format(minimum)} to ${text}.` : `At most ${text}.`));
  if (preset !== undefined) bounds.push({ mark: "efault", words: `Default: ${defaultWords(preset)}.` });
  return bounds;
}

const defaultWords = (value: unknown) => (Array.isArray(value) && value.length === 0 ? "none" : String(value));

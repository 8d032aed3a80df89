type Json = { [keyword: string]: unknown };

/**
 * A JSON Schema that the example fits, as a draft to correct: all members of an object are required, and the entries of a list have one
 * schema if they are alike.
 */
export function schemaFromExample(example: unknown): Json {
  if (Array.isArray(example)) {
    const [first, ...others] = example.map(schemaFromExample);
    const items = first && others.reduce<Json | undefined>((found, each) => found && common(found, each), first);
    return { type: "array", ...(items ? { items } : {}) };
  }
  if (typeof example === "object" && example !== null) {
    const properties = Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, schemaFromExample(value)]),
    );
    return { type: "object", properties, required: Object.keys(properties) };
  }
  if (typeof example === "number") return { type: Number.isInteger(example) ? "integer" : "number" };
  return example === null ? {} : { type: typeof example };
}

/** What both fit; undefined if they have nothing in common. */
function common(one: Json, other: Json): Json | undefined {
  if (one.type !== other.type) {
    const isNumber = [one, other].every(({ type }) => type === "integer" || type === "number");
    return isNumber ? { type: "number" } : undefined;
  }
  if (one.type === "array") {
    const items = one.items && other.items ? common(one.items as Json, other.items as Json) : undefined;
    return { type: "array", ...(items ? { items } : {}) };
  }
  if (one.type !== "object") return one;
  const [mine, theirs] = [one.properties as Record<string, Json>, other.properties as Record<string, Json>];
  const merged = Object.entries({ ...theirs, ...mine }).map(([name, schema]) => {
    const there = theirs[name];
    return [name, mine[name] && there ? (common(schema, there) ?? {}) : schema];
  });
  const isRequired = (name: string) =>
    (one.required as string[]).includes(name) && (other.required as string[]).includes(name);
  return {
    type: "object",
    properties: Object.fromEntries(merged),
    required: merged.map(([name]) => String(name)).filter(isRequired),
  };
}

import { isFields, type Raw, type RawFields } from "./form.ts";
import { invalid } from "./refusal.ts";

/** What a parameter holds. `range` is a number or `{gt, gte, lt, lte}`. */
type Leaf = "text" | "texts" | "integer" | "flag" | "metadata" | "range";

/**
 * The parameters that the stand-in imitates, by the names that the stripe package's type `P` has. Every other name is refused, so that no
 * test passes on a parameter without effect.
 */
export type Names<P> = { readonly [K in keyof P]?: Leaf | Nested<NonNullable<P[K]>> };
type Nested<V> = V extends readonly (infer E)[]
  ? { readonly each: Nested<NonNullable<E>> }
  : V extends object
    ? Names<V>
    : never;

type Spec = Leaf | { readonly [name: string]: Spec };

/**
 * Reads parameters by their names.
 * @throws Refusal 400 `parameter_unknown` for a name that is not among them, `parameter_invalid_…` for a bad value
 */
export function readParameters<P>(names: Names<P>, raw: RawFields): P {
  return readFields(names as Spec as Record<string, Spec>, raw, "") as P;
}

function readFields(names: Record<string, Spec>, raw: RawFields, within: string): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const path = within ? `${within}[${name}]` : name;
    const spec = Object.hasOwn(names, name) ? names[name] : undefined;
    if (spec === undefined) throw invalid("parameter_unknown", `Received unknown parameter: ${path}`, path);
    read[name] = typeof spec === "string" ? readLeaf(spec, value, path) : readNested(spec, value, path);
  }
  return read;
}

function readNested(spec: Record<string, Spec>, value: Raw, path: string): unknown {
  const each = spec.each;
  if (each !== undefined && typeof each !== "string") {
    return listOf(value, path).map((item, at) => readNested(each, item, `${path}[${at}]`));
  }
  if (!isFields(value)) throw invalid("parameter_invalid_object", `Invalid object: ${path}`, path);
  return readFields(spec, value, path);
}

function listOf(value: Raw, path: string): Raw[] {
  if (Array.isArray(value)) return value;
  if (isFields(value) && Object.keys(value).every((key, at) => key === String(at))) return Object.values(value);
  throw invalid("parameter_invalid_list", `Invalid array: ${path}`, path);
}

function readLeaf(leaf: Leaf, value: Raw, path: string): unknown {
  switch (leaf) {
    case "text":
      if (typeof value === "string" && value.length <= 5_000) return value;
      throw invalid("parameter_invalid_string", `Invalid string: ${path}`, path);
    case "texts":
      return listOf(value, path).map((item, at) => readLeaf("text", item, `${path}[${at}]`));
    case "integer":
      return readInteger(value, path);
    case "flag":
      if (value === true || value === "true") return true;
      if (value === false || value === "false") return false;
      throw invalid("parameter_invalid_boolean", `Invalid boolean: ${path}`, path);
    case "range":
      if (!isFields(value)) return readInteger(value, path);
      return readFields({ gt: "integer", gte: "integer", lt: "integer", lte: "integer" }, value, path);
    case "metadata":
      if (!isFields(value)) throw invalid("parameter_invalid_object", `Invalid object: ${path}`, path);
      return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
  }
}

function readInteger(value: Raw, path: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalid("parameter_invalid_integer", `Invalid integer: ${path}`, path);
}

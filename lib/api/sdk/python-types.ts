import type { Json } from "../openapi/schemas.ts";

/** What a JSON Schema may hold that a Python type hint can say. */
type Schema = {
  $ref?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
};

const PRIMITIVES: Record<string, string> = {
  string: "str",
  number: "float",
  integer: "int",
  boolean: "bool",
  null: "None",
};
export const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const WIDTH = 116;

/** The type hints of JSON Schemas, as Python 3.9 reads them. Objects become classes of their own, which are declared in passing. */
export class PythonTypes {
  readonly #reserved: ReadonlySet<string>;
  readonly #classes = new Map<string, string[]>();
  readonly #aliases = new Map<string, string[]>();

  /** @param reserved the names of the schemas that will be declared */
  constructor(reserved: readonly string[]) {
    this.#reserved = new Set(reserved);
  }

  /** The lines that declare all types which hints have referred to. Python reads other names for hints at once, so they come last. */
  get declarations(): string[] {
    const aliases = [...this.#aliases.values()];
    const isComposed = (lines: string[]) => Number(/ = (?:Union|Optional|List|Dict)\[/.test(lines.join("\n")));
    return [...this.#classes.values(), ...aliases.sort((one, other) => isComposed(one) - isComposed(other))].flat();
  }

  /** Declares a schema under a name: a class for an object, otherwise another name for its hint. */
  declare(name: string, schema: Json): void {
    const { properties, description } = schema as Schema;
    if (properties) this.#object(name, schema as Schema);
    else this.#aliases.set(name, [...comments(description, ""), `${name} = ${this.hint(schema, name)}`, ""]);
  }

  /** @param name of the class, if the schema is an object without one */
  hint(given: Json, name: string): string {
    const schema = given as Schema;
    const { $ref, enum: values, anyOf, oneOf, type, items, properties, additionalProperties: others } = schema;
    if ($ref) return $ref.slice($ref.lastIndexOf("/") + 1);
    if ("const" in given) return `Literal[${literal(given.const)}]`;
    if (values) return `Literal[${values.map(literal).join(", ")}]`;
    const choices = anyOf ?? (properties ? undefined : oneOf);
    if (choices) {
      const isOne = choices.filter((choice) => choice.type !== "null").length === 1;
      return union(choices.map((choice, at) => this.hint(choice as Json, isOne ? name : `${name}${at + 1}`)));
    }
    if (Array.isArray(type)) return union(type.map((each) => this.hint({ ...schema, type: each } as Json, name)));
    if (type === "array") return `List[${items ? this.hint(items as Json, `${name}Item`) : "Any"}]`;
    // What has no name of its own must not take one that another has.
    if (properties) return this.#object(this.#reserved.has(name) ? `${name}Object` : name, schema);
    if (type === "object")
      return `Dict[str, ${others && typeof others === "object" ? this.hint(others as Json, `${name}Value`) : "Any"}]`;
    return PRIMITIVES[type ?? ""] ?? "Any";
  }

  #object(name: string, { properties = {}, required = [], description }: Schema): string {
    const members = Object.entries(properties).map(([key, schema]) => ({
      key,
      hint: this.hint(schema as Json, name + pascal(key)),
      lines: comments(schema.description, "    "),
      isRequired: required.includes(key),
    }));
    const always = members.filter(({ isRequired }) => isRequired);
    const sometimes = members.filter(({ isRequired }) => !isRequired);
    const about = comments(description, "");
    if (members.some(({ key }) => !/^[A-Za-z_]\w*$/.test(key) || KEYWORDS.has(key))) {
      const entries = members.map(({ key, hint }) => `${JSON.stringify(key)}: "${hint.replaceAll('"', "'")}"`);
      this.#add(name, [...about, `${name} = TypedDict("${name}", {${entries.join(", ")}}, total=False)`, ""]);
      return name;
    }
    const block = (header: string, of: typeof members) => [
      header,
      ...of.flatMap(({ key, hint, lines }) => [...lines, `    ${key}: ${hint}`]),
      ...(of.length === 0 ? ["    pass"] : []),
      "",
    ];
    if (sometimes.length === 0 || always.length === 0) {
      const total = sometimes.length > 0 ? ", total=False" : "";
      this.#add(name, [...about, ...block(`class ${name}(TypedDict${total}):`, members)]);
    } else {
      // Python 3.9 marks what is optional by inheritance.
      this.#add(name, [
        ...block(`class _${name}Required(TypedDict):`, always),
        ...about,
        ...block(`class ${name}(_${name}Required, total=False):`, sometimes),
      ]);
    }
    return name;
  }

  #add(name: string, lines: string[]): void {
    const known = this.#classes.get(name);
    if (known && known.join("\n") !== lines.join("\n")) throw new Error(`Two Python types are called ${name}.`);
    this.#classes.set(name, lines);
  }
}

/** `task_id` → `TaskId`, `requestChanges` → `RequestChanges` */
export const pascal = (text: string) =>
  text.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll("_", "");

/** A value of JSON as Python writes it. */
export function literal(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

function union(hints: string[]): string {
  const different = [...new Set(hints)];
  const others = different.filter((hint) => hint !== "None");
  const one = others.length > 1 ? `Union[${others.join(", ")}]` : (others[0] ?? "None");
  return others.length === different.length || one === "None" ? one : `Optional[${one}]`;
}

function comments(text: string | undefined, indent: string): string[] {
  return text ? wrap(text, `${indent}#: `) : [];
}

/** The text in lines of bounded length, each with this before it. */
export function wrap(text: string, before: string, beforeRest = before): string[] {
  const lines: string[] = [];
  let line = before;
  for (const word of text.trim().split(/\s+/)) {
    const isFirst = line === before || line === beforeRest;
    if (!isFirst && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = beforeRest + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

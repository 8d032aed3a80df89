import type { z } from "zod";
import type { ListedOffer } from "#lib/identity/schema.ts";
import type { FieldSpec } from "../../../browser/read-fields.ts";

export type Offer = z.output<typeof ListedOffer>;

type Property = { type?: unknown; enum?: unknown; title?: unknown; description?: unknown; maxLength?: unknown };

/** The most properties that become fields; a larger input is written as JSON. */
const MOST_FIELDS = 12;
const NAME = /^[A-Za-z][\w-]{0,59}$/;
/** Longer texts get several lines. */
const LINE = 200;

/** Says something: dots and dashes alone do not. */
export const SAYS_SOMETHING = [/[\p{L}\p{N}]/u, "Say what should be done."] as const;

const FILLED = [/\S/, "Fill in this field."] as const;

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** The fields for what an order is to work on: one text, a field for each property of a flat schema, or JSON. Pure. */
export function fieldsOfInput({ input, input_schema: schema, example_input: example }: Offer): readonly FieldSpec[] {
  if (!schema)
    return [
      {
        name: "input",
        label: "What should be done",
        rows: 6,
        required: true,
        pattern: SAYS_SOMETHING,
        hint: `${input} At most 20,000 characters, without personal data or keys.`,
      },
    ];
  const flat = propertiesOf(schema);
  if (flat) return flat.map(([name, property, isRequired]) => fieldOf(name, property, isRequired, example));
  return [
    {
      name: "input",
      label: "Input, as JSON",
      rows: 10,
      as: "json",
      required: true,
      hint: `${input} It is checked against the offer’s schema.`,
      value: example === null || example === undefined ? "" : pretty(example),
    },
  ];
}

/** The properties of a schema that fields can show; undefined if it has others. */
function propertiesOf(schema: object): [name: string, property: Property, isRequired: boolean][] | undefined {
  const { type, properties, required = [] } = schema as { type?: unknown; properties?: unknown; required?: unknown };
  if (type !== "object" || typeof properties !== "object" || properties === null || !Array.isArray(required))
    return undefined;
  const entries = Object.entries(properties as Record<string, Property>);
  const areSimple = entries.every(
    ([name, each]) =>
      NAME.test(name) && typeof each === "object" && (choicesOf(each) || SIMPLE.includes(each.type as string)),
  );
  if (entries.length === 0 || entries.length > MOST_FIELDS || !areSimple) return undefined;
  if (!required.every((name) => Object.hasOwn(properties, name as string))) return undefined;
  return entries.map(([name, property]) => [name, property, required.includes(name)]);
}

const SIMPLE = ["string", "number", "integer", "boolean", "array", "object"];

/** The texts to choose from; undefined if the property has no choice, or other values. */
const choicesOf = ({ enum: values }: Property): string[] | undefined =>
  Array.isArray(values) && values.every((value) => typeof value === "string") ? values : undefined;

function fieldOf(name: string, property: Property, isRequired: boolean, example: unknown): FieldSpec {
  const shown =
    typeof example === "object" && example !== null ? (example as Record<string, unknown>)[name] : undefined;
  const { title, description, maxLength, type } = property;
  const hints = [
    typeof description === "string" ? description : "",
    shown === undefined ? "" : `For example: ${typeof shown === "string" ? shown : JSON.stringify(shown)}`,
  ];
  const field = {
    name: `input.${name}`,
    label: typeof title === "string" && title ? title : name,
    hint: hints.filter(Boolean).join(" "),
    required: isRequired,
  };
  const options = choicesOf(property)?.map((value) => ({ value, label: value }));
  if (options) return { ...field, options: isRequired ? options : [{ value: "", label: "None" }, ...options] };
  if (type === "boolean") return { ...field, as: "tick" };
  const written: FieldSpec = { ...field, pattern: FILLED };
  if (type === "number" || type === "integer") return { ...written, as: "number" };
  if (type === "array" || type === "object") return { ...written, as: "json", rows: 4 };
  return typeof maxLength === "number" && maxLength <= LINE ? written : { ...written, rows: 3 };
}

/** What is wrong with an input before anything is sent, by field: the example as it was, or nothing at all. Pure. */
export function mistakesIn(offer: Offer, fields: readonly FieldSpec[], input: unknown): Record<string, string> {
  const [first] = fields;
  if (!first) return {};
  if (input === undefined) return { [first.name]: "Fill in at least one field." };
  const isExample = first.value !== undefined && JSON.stringify(input) === JSON.stringify(offer.example_input);
  return isExample ? { [first.name]: "This is the offer’s example. Write what you want done." } : {};
}

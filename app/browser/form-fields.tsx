import type { ReactNode } from "react";
import { Checkbox, Choice, Field, TextField } from "#components/form/field.tsx";
import { readPounds, WRITE_POUNDS } from "./pounds.ts";
import { type FormHandle, textOf } from "./use-form.ts";

/** A field of a form: how it is shown, how its text is read, and what the API calls it. */
export type FieldSpec = {
  name: string;
  /** Its name in the API, by default the same; `terms.scope` is a field of an object. */
  wire?: string;
  label: string;
  hint?: string;
  /** How the text is read; by default as it is, without white space around it. */
  as?: "verbatim" | "lines" | "pounds" | "number" | "time" | "json" | "tick";
  /** A whole number, from the first to the second. */
  range?: readonly [number, number];
  /** What it must look like, and the message if it does not; a required field may not be empty then. */
  pattern?: readonly [RegExp, string];
  /** What an empty field is sent as. Others are left out if they are empty, unless they are required. */
  empty?: null;
  rows?: number;
  required?: boolean;
  /** What it begins with. */
  value?: string;
  /** For an ID or another code, which no keyboard should correct. */
  code?: boolean;
  type?: "url";
  options?: readonly { value: string; label: string }[];
};

/** A part of a form: a field by its description, or anything else. */
export type FormPart = FieldSpec | ((form: FormHandle) => ReactNode);

const PLAIN = { autoComplete: "off" } as const;
const CODE = { ...PLAIN, autoCapitalize: "none", spellCheck: false } as const;
const wireOf = ({ name, wire = name }: FieldSpec) => wire;

/** The parts of a form, in their order. */
export function FormFields({ form, parts }: { form: FormHandle; parts: readonly FormPart[] }) {
  return parts.map((part, place) =>
    typeof part === "function" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a form keep their places
      <Part key={place} render={part} form={form} />
    ) : (
      <OneField key={part.name} spec={part} error={form.errorOf(wireOf(part))} />
    ),
  );
}

function Part({ render, form }: { render: (form: FormHandle) => ReactNode; form: FormHandle }) {
  return render(form);
}

function OneField({ spec, error }: { spec: FieldSpec; error: string | undefined }) {
  const { name, label, hint, as, range, rows, required, value, code, type, options } = spec;
  const shown = { name, label, hint, error };
  if (options) return <Choice {...shown} options={options} defaultValue={value} />;
  if (as === "tick") return <Checkbox name={name} label={label} error={error} defaultChecked={value === "yes"} />;
  if (rows || as === "lines") return <TextField {...shown} rows={rows} required={required} defaultValue={value} />;
  return (
    <Field
      {...shown}
      {...(code ? CODE : PLAIN)}
      type={as === "time" ? "datetime-local" : type}
      inputMode={as === "pounds" || as === "number" ? "decimal" : range ? "numeric" : undefined}
      short={as === "pounds" || as === "number" || range !== undefined}
      required={required}
      defaultValue={value}
    />
  );
}

type Read = { values: Record<string, unknown>; errors: Record<string, string> };

/** What was typed, as the API takes it, and a message for each field that is not valid. */
export function readFields(parts: readonly FormPart[], fields: FormData): Read {
  const read: Read = { values: {}, errors: {} };
  for (const spec of parts) {
    if (typeof spec === "function") continue;
    const wire = wireOf(spec);
    const text = textOf(fields, spec.name);
    const typed = spec.as === "verbatim" ? text : text.trim();
    const value = readOne(spec, typed);
    if (value === undefined) read.errors[wire] = mistakeIn(spec, typed);
    else if (typed || spec.required || spec.as === "tick") put(read.values, wire, value);
    else if (spec.empty === null) put(read.values, wire, null);
  }
  return read;
}

/** Undefined if it is not valid. An empty field is: the service says whether it may be. */
function readOne({ as, range, pattern, required }: FieldSpec, typed: string): unknown {
  if (as === "tick") return typed === "yes";
  if (as === "lines")
    return typed
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  if (as === "pounds") return typed || required ? readPounds(typed) : "";
  if (typed === "") return pattern && required ? undefined : "";
  if (pattern && !pattern[0].test(typed)) return undefined;
  if (as === "json") return parsed(typed);
  if (as === "number") return Number.isFinite(Number(typed)) ? Number(typed) : undefined;
  if (as === "time") return Number.isNaN(Date.parse(typed)) ? undefined : new Date(typed).toISOString();
  if (range)
    return /^\d{1,15}$/.test(typed) && Number(typed) >= range[0] && Number(typed) <= range[1]
      ? Number(typed)
      : undefined;
  return typed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mistakeIn({ as, range, pattern }: FieldSpec, typed: string): string {
  if (pattern && !pattern[0].test(typed)) return pattern[1];
  if (as === "json") return "It must be JSON.";
  if (as === "number") return "It must be a number.";
  if (as === "pounds") return WRITE_POUNDS;
  return range ? `It must be a whole number from ${range[0]} to ${range[1]}.` : "It must be a date and a time.";
}

function put(values: Record<string, unknown>, wire: string, value: unknown): void {
  const [first = "", rest] = wire.split(".");
  if (rest === undefined) values[first] = value;
  else values[first] = { ...(values[first] as object | undefined), [rest]: value };
}

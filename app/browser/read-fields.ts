import type { Draft } from "./fill-form.ts";
import { readPounds, WRITE_POUNDS, writePounds } from "./pounds.ts";

/** A field of a form: how it is shown, how its text is read, and what the API calls it. */
export type FieldSpec = {
  name: string;
  /** Its name in the API, by default the same; `terms.scope` is a field of an object. */
  wire?: string;
  label: string;
  hint?: string;
  /** How the text is read; by default as it is, without white space around it. */
  as?: "verbatim" | "lines" | "list" | "pounds" | "number" | "time" | "json" | "tick";
  /** A whole number, from the first to the second. */
  range?: readonly [number, number];
  /** What it must look like, and the message if it does not; a required field may not be empty then. */
  pattern?: readonly [RegExp, string];
  /** What is sent for an empty field. Without it, empty optional fields are left out. */
  empty?: null | "" | readonly string[];
  rows?: number;
  required?: boolean;
  /** The message if it is not ticked. */
  must?: string;
  /** What it begins with. */
  value?: string;
  /** For an ID or another code, which no keyboard should correct. */
  code?: boolean;
  /** What the browser is told about the field. */
  input?: {
    type?: "url" | "email" | "password";
    autoComplete?: string;
    autoCapitalize?: "characters";
    inputMode?: "numeric" | "url";
    placeholder?: string;
    /** Shows dots, for a secret that is not a password. */
    masked?: boolean;
  };
  options?: readonly { value: string; label: string }[];
};

/** A field's name in the API. */
export const wireOf = ({ name, wire = name }: FieldSpec) => wire;

type Read = { values: Record<string, unknown>; errors: Record<string, string> };

/** What was typed, as the API takes it, and a message for each field that is not valid. */
export function readFields(parts: readonly (FieldSpec | ((...form: never[]) => unknown))[], fields: FormData): Read {
  const read: Read = { values: {}, errors: {} };
  for (const spec of parts) {
    if (typeof spec === "function") continue;
    const wire = wireOf(spec);
    const text = String(fields.get(spec.name) ?? "");
    const typed = spec.as === "verbatim" ? text : text.trim();
    const value = readOne(spec, typed);
    if (value === undefined) read.errors[wire] = mistakeIn(spec, typed);
    else if (typed || spec.required || spec.as === "tick") put(read.values, wire, value);
    else if (spec.empty !== undefined) put(read.values, wire, spec.empty);
  }
  return read;
}

/** Undefined if it is not valid. An empty field is valid here: the service says whether it is allowed. */
function readOne({ as, range, pattern, required, must }: FieldSpec, typed: string): unknown {
  if (as === "tick") return typed === "yes" || (must === undefined ? false : undefined);
  if (as === "list") return typed.split(/[\s,;]+/).filter(Boolean);
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

function mistakeIn({ as, range, pattern, must }: FieldSpec, typed: string): string {
  if (must) return must;
  if (pattern && !pattern[0].test(typed)) return pattern[1];
  if (as === "json") return "It must be JSON.";
  if (as === "number") return "It must be a number.";
  if (as === "pounds") return WRITE_POUNDS;
  return range ? `It must be a whole number from ${range[0]} to ${range[1]}.` : "It must be a date and a time.";
}

/** What the fields of a form hold for these values: the opposite of `readFields`. */
export function writeFields(
  parts: readonly (FieldSpec | ((...form: never[]) => unknown))[],
  values: Record<string, unknown>,
): Draft {
  const written = parts.flatMap((spec): [string, string | boolean][] => {
    const value = typeof spec === "function" ? undefined : values[wireOf(spec)];
    return typeof spec === "function" || value === undefined || value === null
      ? []
      : [[spec.name, writeOne(spec, value)]];
  });
  return Object.fromEntries(written);
}

function writeOne({ as }: FieldSpec, value: unknown): string | boolean {
  if (as === "tick") return value === true;
  if (as === "pounds") return writePounds(Number(value));
  if (as === "json") return JSON.stringify(value, null, 2);
  if (as === "lines") return (value as unknown[]).filter((line) => typeof line === "string").join("\n");
  return String(value);
}

function put(values: Record<string, unknown>, wire: string, value: unknown): void {
  const [first = "", rest] = wire.split(".");
  if (rest === undefined) values[first] = value;
  else values[first] = { ...(values[first] as object | undefined), [rest]: value };
}

import { readFileSync } from "node:fs";
import { OPERATIONS } from "../generated.ts";
import type { Command, Field } from "./command.ts";

/**
 * The commands that make one call each, read from the package's declarations: they have each call's input, and a sentence on it, so
 * that none of it has to be in the package a second time. Both files are written by the same generator, and a test compares them.
 */

/** What the declarations say, by name: the text of each type, and the sentence above it. */
type Declared = Map<string, { type: string; about: string }>;
/** The latest sentence on a required field of this name. It also holds for later ones without a sentence. */
type Latest = Map<string, string>;

let read: readonly Command[] | undefined;

/** All commands that make one call, in the order of the reference. */
export function commands(): readonly Command[] {
  if (read) return read;
  const suffix = import.meta.url.endsWith(".ts") ? ".ts" : ".d.ts";
  read = commandsIn(readFileSync(new URL(`../generated${suffix}`, import.meta.url), "utf8"));
  return read;
}

function commandsIn(text: string): Command[] {
  const declared: Declared = new Map();
  for (const [, about = "", name = "", type = ""] of text.matchAll(
    /(?:^\/\*\* (.*) \*\/\n)?^export type (\w+) = (\{\}|\{\n[\s\S]*?\n\}|[^;]*);$/gm,
  ))
    declared.set(name, { type, about });
  const inputs = inputsIn(text);
  // The client follows events by hand, so no method is generated.
  inputs.set("events", { about: "Follow what happens", input: declared.get("EventsInput")?.type ?? "" });
  const latest: Latest = new Map();
  return [...inputs].map(([id, { about, input }]) => {
    const operation = OPERATIONS[id];
    const call = id.split(".");
    const fields = fieldsIn(declared, input, latest);
    return {
      name: call.map((part) => part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
      call,
      about,
      // The profile says who calls.
      fields: operation?.ownId || id === "events" ? fields.filter(({ name }) => name !== "public_id") : fields,
      ...(operation?.list ? { list: operation.list[0] } : {}),
    };
  });
}

/** The methods of `Operations` by their names, each with its sentence and the type of its input. */
function inputsIn(text: string): Map<string, { about: string; input: string }> {
  const inputs = new Map<string, { about: string; input: string }>();
  const [, unit = ""] = /^export interface Operations \{\n([ \t]+)/m.exec(text) ?? [];
  const line = `^${unit}(\\w+): \\{$|^((?:${unit}){1,2})/\\*\\* (.*)\\. \\*/\\n\\2(\\w+)\\(input\\??: (\\{\\}|\\{\\n[\\s\\S]*?\\n\\2\\})`;
  let inGroup = "";
  for (const [, group, indent, about = "", name = "", input = ""] of text.matchAll(new RegExp(line, "gm")))
    if (group !== undefined) inGroup = `${group}.`;
    else inputs.set(indent === unit ? name : inGroup + name, { about, input });
  return inputs;
}

/** Optional fields of many calls. What others mean is in the reference. */
const OFTEN: Record<string, string> = {
  after: "Only what comes after this number.",
  before: "Only what comes before this number.",
  cursor: "The next_cursor of the previous page.",
  limit: "How many entries.",
  q: "Words to search for.",
};

/** The members of an object type. Those of objects within it are further in. */
function fieldsIn(declared: Declared, body: string, latest: Latest): Field[] {
  const indent = /^\{\n([ \t]+)/.exec(body)?.[1] ?? "";
  const member = new RegExp(`(?:^${indent}/\\*\\* (.*) \\*/\\n)?^${indent}(\\w+)(\\??): ([^;]*)`, "gm");
  return [...body.matchAll(member)].map(([, about, name = "", optional, written = ""]) => {
    const type = written.replace(/ \| null$/, "");
    if (about !== undefined) latest.set(name, about);
    const values = valuesOf(declared.get(type)?.type ?? type);
    const kind = kindOf(declared, name, type);
    return {
      name,
      kind,
      ...(optional ? {} : { required: true }),
      ...(values && kind === "text" ? { values } : {}),
      about: (optional ? OFTEN[name] : latest.get(name)) ?? declared.get(type)?.about ?? "",
    };
  });
}

/** The values of a union of texts. */
function valuesOf(type: string): string[] | undefined {
  return /^"[^"]*"(?: \| "[^"]*")*$/.test(type) ? type.split(" | ").map((value) => value.slice(1, -1)) : undefined;
}

function kindOf(declared: Declared, name: string, type: string): Field["kind"] {
  if (type === "Secret") return "secret";
  if (name.endsWith("_pence")) return "pence";
  if (type === "boolean" || type === "true") return "boolean";
  if (type === '"1"') return "one";
  if (type === "number") return "number";
  // Names may share a flag, separated by commas; sentences have commas of their own.
  if (type.startsWith("Array<string | ")) return "texts_or_json";
  if (/\[\]$|^Array</.test(type)) return type === "string[]" ? "texts" : "names";
  return /^(?:\{|Record<)/.test(declared.get(type)?.type ?? type) ? "json" : "text";
}

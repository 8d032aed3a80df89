import { readFileSync } from "node:fs";
import { OPERATIONS } from "../generated.ts";
import type { Command, Field } from "./command.ts";

/**
 * The commands that make one call each, read from the package's declarations: they have each call's input, and a sentence on it, so
 * that none of it has to be in the package a second time. Both files are written by the same generator, and a test compares them.
 */

/** A field of an input, or a type, as it is declared: its text up to the end of its line, and the sentence above it. */
type Declared = { name: string; type: string; about: string; isOptional?: boolean };

let read: readonly Command[] | undefined;

/** All commands that make one call, in the order of the reference. */
export function commands(): readonly Command[] {
  if (read) return read;
  // Built, the declarations are another file.
  const file = import.meta.url.endsWith(".ts") ? "../generated.ts" : "../wire.d.ts";
  read = commandsIn(readFileSync(new URL(file, import.meta.url), "utf8"));
  return read;
}

function commandsIn(text: string): Command[] {
  const types = new Map<string, Declared>();
  const inputs: { id: string; about: string; fields: Declared[] }[] = [];
  let [group, about, depth, depthOfFields] = ["", "", 0, -1];
  for (const line of text.split("\n")) {
    const [, sentence, exported, name = "", mark = "", written = ""] =
      /^\s*(?:\/\*\* (.*) \*\/|(export type )?(\w+)( = |\??: |\(input\??: )(.*))$/.exec(line) ?? [];
    const type = written.replace(/;$/, "");
    if (exported) types.set(name, { name, type, about });
    if (depth === 1 && type === "{") group = name;
    // The client follows events by hand, so no method is generated.
    if (name === "EventsInput") inputs.push({ id: "events", about: "Follow what happens", fields: [] });
    else if (mark.startsWith("("))
      inputs.push({ id: depth === 1 ? name : `${group}.${name}`, about: about.replace(/\.$/, ""), fields: [] });
    else if (depth === depthOfFields && name)
      inputs.at(-1)?.fields.push({ name, type, about, isOptional: mark.startsWith("?") });
    about = sentence ?? "";
    if (sentence === undefined) depth += line.split("{").length - line.split("}").length;
    if (name === "EventsInput" || (mark.startsWith("(") && type === "{")) depthOfFields = depth;
    else if (depth < depthOfFields || /^\s*\}, /.test(line)) depthOfFields = -1;
  }
  const latest = new Map<string, string>();
  return inputs.map(({ id, about, fields: declared }) => {
    const operation = OPERATIONS[id];
    const call = id.split(".");
    const fields = declared.map((field) => fieldOf(field, types, latest));
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

/** Optional fields of many calls. What others mean is in the reference. */
const OFTEN: Record<string, string> = {
  after: "Only what comes after this number.",
  before: "Only what comes before this number.",
  cursor: "The next_cursor of the previous page.",
  limit: "How many entries.",
  q: "Words to search for.",
};

/** @param latest the latest sentence on a required field of each name: it holds for later ones without a sentence, too */
function fieldOf(
  { name, type: written, about, isOptional }: Declared,
  types: ReadonlyMap<string, Declared>,
  latest: Map<string, string>,
): Field {
  const type = written.replace(/ \| null$/, "");
  const named = types.get(type);
  if (about) latest.set(name, about);
  const values = valuesOf(named?.type ?? type);
  const kind = kindOf(name, type, named);
  return {
    name,
    kind,
    ...(isOptional ? {} : { required: true }),
    ...(values && kind === "text" ? { values } : {}),
    about: (isOptional ? OFTEN[name] : latest.get(name)) ?? named?.about ?? "",
  };
}

/** The values of a union of texts. */
function valuesOf(type: string): string[] | undefined {
  return /^"[^"]*"(?: \| "[^"]*")*$/.test(type) ? type.split(" | ").map((value) => value.slice(1, -1)) : undefined;
}

function kindOf(name: string, type: string, named?: Declared): Field["kind"] {
  if (type === "Secret") return "secret";
  if (name.endsWith("_pence")) return "pence";
  if (type === "boolean" || type === "true") return "boolean";
  if (type === '"1"') return "one";
  if (type === "number") return "number";
  // Names may share a flag, separated by commas; sentences have commas of their own.
  if (type.startsWith("Array<string | ")) return "texts_or_json";
  if (/\[\]$|^Array</.test(type)) return type === "string[]" ? "texts" : "names";
  return /^(?:\{|Record<)/.test(named?.type ?? type) ? "json" : "text";
}

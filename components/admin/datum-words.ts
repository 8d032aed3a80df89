import { formatPence } from "#lib/kernel/money.ts";

const ID = /(?<=^(task|contract|settlement|payment|dispute|report|post))_id$/;
const PENCE = /_pence$/;

/** Whether a datum of an audit entry is an ID of something that has a page. Pure. */
export const isLinked = (name: string): boolean => ID.test(name);

const NAMES: Record<string, string> = { public_id: "agent", pattern_id: "pattern" };

/** `per_day_pence` → `per day`, `task_id` → `task`. Pure. */
export const datumName = (name: string): string =>
  NAMES[name] ?? name.replace(ID, "").replace(PENCE, "").replaceAll("_", " ");

const KINDS: Record<string, string> = { agt: "identity", own: "owner", tsk: "task", stl: "settlement", dsp: "dispute" };

/** The kind of thing that an ID in a datum names. Pure. */
export const subjectKindOf = (name: string, id: string): string => KINDS[id.slice(0, 3)] ?? datumName(name);

const many =
  (one: string, others = `${one}s`) =>
  (value: unknown) =>
    typeof value === "number" ? `${value.toLocaleString("en-GB")} ${value === 1 ? one : others}` : undefined;
const text = (words: (value: string) => string) => (value: unknown) =>
  typeof value === "string" ? words(value.replaceAll("_", " ")) : undefined;

const flag = (words: string) => (value: unknown) => (value === true ? words : undefined);

/** Data that make a phrase of their own. */
const SENTENCES: Record<string, (value: unknown) => string | undefined> = {
  revoked: many("session ended", "sessions ended"),
  left: many("recovery code left", "recovery codes left"),
  reports: many("report upheld", "reports upheld"),
  hits: many("hit"),
  of: many("post looked at", "posts looked at"),
  how: text((value) => `with ${value === "totp" ? "an authenticator app" : value}`),
  risk: text((value) => `${value} risk`),
  device: text((value) => `in ${value}`),
  address: text((value) => `from ${value}`),
  simulated: flag("simulated"),
  created: flag("with a new account"),
  public_consent: flag("agrees to be public"),
  operator_authorized: flag("authorised by its operator"),
};

/** `revoked: 2` → `2 sessions ended`; undefined for data without a phrase of their own. Pure. */
export function datumSentence(name: string, value: unknown): string | undefined {
  return Object.hasOwn(SENTENCES, name) ? SENTENCES[name]?.(value) : undefined;
}

/** A datum in words: amounts in pounds, lists with commas, states without underscores. Pure. */
export function datumWords(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((each) => datumWords("", each)).join(", ");
  if (typeof value === "number" && PENCE.test(name)) return formatPence(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([key, each]) => `${datumName(key)} ${datumWords(key, each)}`)
      .join(", ");
  if (typeof value !== "string") return String(value);
  return name === "from" || name === "to" ? value.replaceAll("_", " ") : value;
}

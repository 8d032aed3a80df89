import { formatPence } from "#lib/kernel/money.ts";

const ID = /(?<=^(task|contract|settlement|payment|dispute|report|post))_id$/;
const PENCE = /_pence$/;

/** Whether a datum of an audit entry is an ID of something that has a page. Pure. */
export const isLinked = (name: string): boolean => ID.test(name);

/** `per_day_pence` → `per day`, `task_id` → `task`. Pure. */
export const datumName = (name: string): string => name.replace(ID, "").replace(PENCE, "").replaceAll("_", " ");

/** A datum in words: amounts in pounds, lists with commas, states without underscores. Pure. */
export function datumWords(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((each) => datumWords("", each)).join(", ");
  if (typeof value === "number" && PENCE.test(name)) return formatPence(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return JSON.stringify(value);
  return name === "from" || name === "to" ? value.replaceAll("_", " ") : value;
}

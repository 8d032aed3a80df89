import { z } from "zod";

// Which types of events somebody asks for: the form of that, and what it matches, in the feed, in streams and for webhooks alike.

const NAME = "[a-z_]{1,30}";
/** A type such as `task.claimed`, or a prefix such as `task.*`. */
export const TYPE_OR_PREFIX = `${NAME}\\.(?:${NAME}|\\*)`;

/** Two names of 30 characters. */
export const MOST_FILTER_CHARACTERS = 61;

export const EventTypeFilter = z
  .string()
  .max(MOST_FILTER_CHARACTERS, `must have at most ${MOST_FILTER_CHARACTERS} characters`)
  .regex(new RegExp(`^${TYPE_OR_PREFIX}$`), "must be a type such as task.claimed, or a prefix such as task.*")
  .meta({ id: "EventFilter", description: "A type of event such as task.claimed, or a prefix such as task.*." });

/** Whether an event of this type is asked for; undefined stands for all types, as `*` does. Pure. */
export function isWanted(type: string, types: readonly string[] | undefined): boolean {
  if (!types) return true;
  const prefix = `${type.split(".", 1)[0]}.*`;
  return types.some((wanted) => wanted === type || wanted === prefix || wanted === "*");
}

/** The same as SQL, of the column `type`. @param types a placeholder of a `text[]`, null for all types */
export const isWantedSql = (types: string) =>
  `(${types}::text[] IS NULL OR type = ANY (${types}) OR split_part(type, '.', 1) || '.*' = ANY (${types}) OR '*' = ANY (${types}))`;

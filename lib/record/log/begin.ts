import { statement } from "#lib/db/statement.ts";
import { env } from "#lib/kernel/env.ts";

/** Name of the first log of this installation. It is fixed when the log begins: a later BASE_URL does not change it. */
export function firstOrigin(): string {
  return `${new URL(env().baseUrl).host}/log`;
}

const begin = statement("log.begin", {}, "INSERT INTO log_trees (id, origin) VALUES (1, $1) ON CONFLICT DO NOTHING");

/** Begins the log if there is none. */
export async function beginLog(): Promise<void> {
  await begin(firstOrigin());
}

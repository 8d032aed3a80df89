import { firstOrigin } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";

const begin = statement("log.begin", {}, "INSERT INTO log_trees (id, origin) VALUES (1, $1) ON CONFLICT DO NOTHING");

/** Begins the log if there is none. */
export async function beginLog(): Promise<void> {
  await begin(firstOrigin());
}

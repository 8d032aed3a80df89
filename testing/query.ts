import { withClient } from "#lib/db/with-client.ts";

/** Runs one statement over a connection of its own. @returns its rows */
export async function query<Row extends object = Record<string, string>>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await withClient(url, (client) => client.query(text, values))).rows;
}

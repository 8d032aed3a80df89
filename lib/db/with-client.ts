import pg from "pg";
import type { QueryFn } from "./connection.ts";

/** Lends a connection of its own to this database, and closes it afterwards. A server that ends meanwhile is no error of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  options: pg.ClientConfig = {},
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, ...options });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same for reads that all see the database as it is at the first of them, and may take long. */
export function readMoment<Result>(
  url: string,
  name: string,
  work: (query: QueryFn, client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  return withClient(
    url,
    async (client) => {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const query: QueryFn = async <Row extends object>(text: string, values: unknown[] = []) =>
        (await client.query<Row>(text, values)).rows;
      return work(query, client);
    },
    { application_name: `guildhall ${name}` },
  );
}

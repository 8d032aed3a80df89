import pg from "pg";
import type { QueryFn } from "./connection.ts";

/** Runs `work` on a connection of its own, whose queries all see the database as it is at the first of them, and may take long. */
export async function readMoment<Result>(
  url: string,
  name: string,
  work: (query: QueryFn, client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: `guildhall ${name}` });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const query: QueryFn = async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows;
    return await work(query, client);
  } finally {
    await client.end();
  }
}

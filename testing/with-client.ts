import pg from "pg";

/** Lends a connection of its own to this database, and closes it afterwards. A server that ends meanwhile is no error of its own. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs one statement over a connection of its own. @returns its rows */
export async function query<Row extends object = Record<string, string>>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await withClient(url, (client) => client.query(text, values))).rows;
}

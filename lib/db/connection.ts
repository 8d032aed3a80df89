/** A connection that its user keeps, for a session or a transaction. */
export type Connection = {
  query<Row extends object>(query: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
};

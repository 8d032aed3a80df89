/** A connection that its user keeps, for a session or a transaction. */
export type Connection = {
  query<Row extends object>(query: {
    name?: string;
    text: string;
    values: unknown[];
    /** Each row as a list of its values, instead of an object. */
    rowMode?: "array";
  }): Promise<{ rows: Row[]; fields: { name: string }[] }>;
};

import type { Columns, RowOf } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

/** A statement that reads the row of one ID; undefined if there is none. */
export function finder<const C extends Columns>(name: string, columns: C, text: string) {
  const rows = statement(name, columns, text);
  return async (id: string): Promise<RowOf<C> | undefined> => (await rows(id))[0];
}

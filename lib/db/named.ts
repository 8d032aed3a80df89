import type { Columns } from "./columns.ts";
import type { Connection } from "./connection.ts";
import { statement } from "./statement.ts";

/** `:name`, but not the `::` of a cast. */
const PLACEHOLDER = /(?<!:):([a-z]\w*)/gi;

/**
 * Statements with more than eight values name them: `:name` in the text becomes `$n` by the name's place in the list.
 * @throws Error if the text uses a name that is not in the list, or leaves one out
 */
export function numbered(names: readonly string[], text: string): string {
  const unused = new Set(names);
  const result = text.replace(PLACEHOLDER, (placeholder, name: string) => {
    if (!names.includes(name)) throw new Error(`A statement uses ${placeholder}, but has no value of that name.`);
    unused.delete(name);
    return `$${names.indexOf(name) + 1}`;
  });
  if (unused.size > 0) throw new Error(`A statement does not use its values ${[...unused].join(", ")}.`);
  return result;
}

/** Like `statement`, but called with one object that has a value for each name. */
export function namedStatement<const C extends Columns, const Name extends string>(
  name: string,
  columns: C,
  names: readonly Name[],
  text: string,
) {
  const run = statement(name, columns, numbered(names, text));
  const inOrder = (values: Readonly<Record<Name, unknown>>) => names.map((each) => values[each]);
  return Object.assign((values: Readonly<Record<Name, unknown>>) => run(...inOrder(values)), {
    on: (connection: Connection, values: Readonly<Record<Name, unknown>>) => run.on(connection, ...inOrder(values)),
  });
}

import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { VISIBLE } from "#lib/identity/row.ts";
import { mentionsIn } from "../mentions.ts";
import { PRESENT } from "../row.ts";

const names = statement(
  "community_names",
  { id: text, name: text },
  `SELECT w.id, coalesce(p.name, i.name) AS name FROM unnest($1::text[]) AS w (id)
   LEFT JOIN profiles p ON p.id = w.id AND p.suspended_at IS NULL AND ${PRESENT}
   LEFT JOIN identities i ON i.id = w.id AND ${VISIBLE}
   WHERE coalesce(p.name, i.name) IS NOT NULL`,
);

/** The names, by public ID, of those agents that have a page. */
export async function readNames(ids: readonly string[]): Promise<Record<string, string>> {
  const rows = ids.length > 0 ? await names(ids) : [];
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

/** The names, by public ID, of the agents that these posts mention and that have a page. */
export function readMentioned(posts: readonly { body: string | null }[]): Promise<Record<string, string>> {
  return readNames(mentionsIn(...posts.map((post) => post.body)));
}

import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

/** Where a search matched: start and end in UTF-16 units of the text. */
type Hit = { from: number; to: number };
type Hits = { title: Hit[]; body: Hit[] };

// Stored texts contain no control characters, so these two are unambiguous.
const BEGIN = "\u0001";
const END = "\u0002";
const OPTIONS = `HighlightAll=true, StartSel="${BEGIN}", StopSel="${END}"`;

const headlines = statement(
  "community_hits",
  { id: text, title: text, body: text },
  `SELECT p.id, ts_headline('english', coalesce(p.title, ''), query, '${OPTIONS}') AS title,
     ts_headline('english', p.body, query, '${OPTIONS}') AS body
   FROM posts p, websearch_to_tsquery('english', $2) query WHERE p.id = ANY ($1::text[])`,
);

type Searched = { post_id: string; title: string | null; body: string | null };

/** By post ID: the words in these posts that match a search, found by PostgreSQL as in the search itself. */
export async function readHits(posts: readonly Searched[], q: string): Promise<Map<string, Hits>> {
  const ids = posts.map((post) => post.post_id);
  const marked = new Map((ids.length > 0 ? await headlines(ids, q) : []).map((row) => [row.id, row]));
  return new Map(
    posts.map(({ post_id: id, title, body }) => [
      id,
      { title: hitsIn(marked.get(id)?.title ?? "", title ?? ""), body: hitsIn(marked.get(id)?.body ?? "", body ?? "") },
    ]),
  );
}

/** Reads the marks from a text. None if the marked text differs from it: PostgreSQL leaves out words over 2 KB. Pure. */
function hitsIn(marked: string, text: string): Hit[] {
  if (marked.replaceAll(BEGIN, "").replaceAll(END, "") !== text) return [];
  const [before = "", ...rest] = marked.split(BEGIN);
  let at = before.length;
  return rest.map((part) => {
    const hit = { from: at, to: at + part.indexOf(END) };
    at += part.length - END.length;
    return hit;
  });
}

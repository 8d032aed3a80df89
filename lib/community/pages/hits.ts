import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

/** Where a search found its words: from and to, counted in UTF-16 units of the text. */
export type Hit = { from: number; to: number };
export type Hits = { title: Hit[]; body: Hit[] };

// Stored texts hold no control characters, so that these two can stand for nothing else.
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

/** By post ID: the words in which these posts answer a search, as the search itself understands it. */
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

/** Reads the marks out of a text; none if it is not the text that they were set in (words beyond 2 KB are left out). Pure. */
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

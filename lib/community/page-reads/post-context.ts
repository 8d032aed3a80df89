import { bigint, boolean, nullable, type RowOf, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { PROVED, VISIBLE } from "#lib/identity/row.ts";

/** What a page shows about a post besides the post itself. */
export type PostContext = {
  postId: string;
  /** The host that the author has proved; null unless the author's identity is public. */
  host: string | null;
  opening: { postId: string; title: string | null };
  /** The post that it replies to; null for the post that opened the thread. */
  parent: { postId: string; seq: number; publicId: string; name: string; withdrawn: boolean } | null;
};

const ROW = {
  id: text,
  host: nullable(text),
  openingId: text,
  openingTitle: nullable(text),
  parentId: nullable(text),
  parentSeq: nullable(bigint),
  parentAuthorId: nullable(text),
  parentAuthorName: nullable(text),
  parentWithdrawn: boolean,
};
type Row = RowOf<typeof ROW>;

const around = statement(
  "community_post_contexts",
  ROW,
  `SELECT p.id, i.host, o.id AS "openingId", o.title AS "openingTitle", r.id AS "parentId", r.seq AS "parentSeq",
     a.id AS "parentAuthorId", a.name AS "parentAuthorName", r.withdrawn_at IS NOT NULL AS "parentWithdrawn"
   FROM posts p
   CROSS JOIN LATERAL (
     SELECT id, CASE WHEN withdrawn_at IS NULL THEN title END AS title FROM posts WHERE thread_id = p.thread_id ORDER BY seq LIMIT 1
   ) o
   LEFT JOIN posts r ON r.id = coalesce(p.reply_to, nullif(o.id, p.id))
   LEFT JOIN profiles a ON a.id = r.author_id
   LEFT JOIN identities i ON i.id = p.author_id AND ${VISIBLE} AND ${PROVED}
   WHERE p.id = ANY ($1::text[])`,
);

/** By post ID: the author's proved host, the thread's opening post, and the post that it replies to. */
export async function readPostContexts(postIds: readonly string[]): Promise<Map<string, PostContext>> {
  const rows = postIds.length > 0 ? await around(postIds) : [];
  return new Map(rows.map((row) => [row.id, view(row)]));
}

function view(row: Row): PostContext {
  const { parentId, parentAuthorId } = row;
  return {
    postId: row.id,
    host: row.host,
    opening: { postId: row.openingId, title: row.openingTitle },
    parent:
      parentId && parentAuthorId
        ? {
            postId: parentId,
            seq: Number(row.parentSeq),
            publicId: parentAuthorId,
            name: row.parentAuthorName ?? "",
            withdrawn: row.parentWithdrawn,
          }
        : null,
  };
}

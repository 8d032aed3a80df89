import type { z } from "zod";
import { listing } from "#lib/db/listing.ts";
import { statement } from "#lib/db/statement.ts";
import type { ReportsQuery } from "../schema.ts";

export type ListedReport = {
  id: string;
  state: "open" | "upheld" | "dismissed";
  reason: string;
  createdAt: Date;
  resolvedAt: Date | null;
  reporterId: string;
  reporterName: string;
  reporterEmail: string;
  postId: string;
  postSeq: string;
  threadId: string;
  room: string;
  title: string | null;
  /** Empty once it is withdrawn. */
  body: string;
  withdrawnAt: Date | null;
  replyTo: string | null;
  postedAt: Date;
  authorId: string;
  authorName: string;
};

const SELECT = `SELECT r.id, r.state, r.reason, r.created_at AS "createdAt", r.resolved_at AS "resolvedAt", o.id AS "reporterId",
    o.name AS "reporterName", o.email AS "reporterEmail", p.id AS "postId", p.seq AS "postSeq", p.thread_id AS "threadId", p.room,
    p.title, p.body, p.withdrawn_at AS "withdrawnAt", p.reply_to AS "replyTo", p.created_at AS "postedAt", a.id AS "authorId",
    a.name AS "authorName"
  FROM reports r JOIN posts p ON p.id = r.post_id JOIN profiles a ON a.id = p.author_id JOIN owners o ON o.id = r.owner_id`;

const reports = listing<ListedReport>("admin_reports");

/** What owners reported: the open ones oldest first, since those wait longest; the decided ones newest first. */
export async function listReports({ state, cursor, limit }: z.output<typeof ReportsQuery>) {
  const [order, beyond] = state === "open" ? ["ASC", ">"] : ["DESC", "<"];
  const found = await reports(
    `${state}${cursor ? "+cursor" : ""}`,
    () => `${SELECT} WHERE r.state = '${state}'
      ${cursor ? `AND (r.created_at, r.id) ${beyond} (SELECT c.created_at, c.id FROM reports c WHERE c.id = $2)` : ""}
      ORDER BY r.created_at ${order}, r.id ${order} LIMIT $1`,
    cursor ? [limit + 1, cursor] : [limit + 1],
  );
  const shown = found.slice(0, limit);
  return { reports: shown, nextCursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

const byId = statement<ListedReport>("admin_report", `${SELECT} WHERE r.id = $1`);

export async function findReport(reportId: string): Promise<ListedReport | undefined> {
  return (await byId(reportId))[0];
}

const aboutPost = statement<ListedReport>(
  "admin_reports_of_post",
  `${SELECT} WHERE r.post_id = $1 ORDER BY r.created_at, r.id LIMIT 100`,
);

/** Everything that was reported about one post, oldest first, at most a hundred. */
export function readReportsAbout(postId: string): Promise<ListedReport[]> {
  return aboutPost(postId);
}

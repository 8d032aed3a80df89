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
  /** Null when the reporter's account has been deleted. */
  reporterName: string | null;
  reporterEmail: string | null;
  kind: "post" | "agent" | "offer" | "task";
  subjectId: string;
  /** The agent concerned: a post's author, an offer's identity, a task's requester, or the reported agent itself. */
  agentId: string | null;
  agentName: string | null;
  /** A post's or task's title, an offer's skill, an agent's name. */
  title: string | null;
  /** A post's body, empty once it is withdrawn; an offer's description; a task's summary; an agent's bio or description. */
  body: string;
  /** Null unless it is a post. */
  post: null | {
    seq: string;
    threadId: string;
    room: string;
    replyTo: string | null;
    postedAt: string;
    withdrawnAt: string | null;
  };
};

/** Columns of a `ListedReport`, for `r` as reports. */
const COLUMNS = `r.id, r.state, r.reason, r.created_at AS "createdAt", r.resolved_at AS "resolvedAt", r.owner_id AS "reporterId",
  o.name AS "reporterName", o.email AS "reporterEmail", r.subject_kind AS kind, r.subject_id AS "subjectId",
  agent.id AS "agentId", coalesce(a.name, i.name) AS "agentName",
  coalesce(p.title, t.title, f.skill, CASE WHEN r.subject_kind = 'agent' THEN coalesce(a.name, i.name) END) AS title,
  coalesce(p.body, t.summary, f.description, CASE WHEN r.subject_kind = 'agent' THEN coalesce(a.bio, i.description) END, '') AS body,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('seq', p.seq::text, 'threadId', p.thread_id, 'room', p.room,
    'replyTo', p.reply_to, 'postedAt', p.created_at, 'withdrawnAt', p.withdrawn_at) END AS post`;
const JOINS = `LEFT JOIN owners o ON o.id = r.owner_id
  LEFT JOIN posts p ON p.id = r.post_id
  LEFT JOIN offers f ON r.subject_kind = 'offer' AND f.id = r.subject_id
  LEFT JOIN tasks t ON r.subject_kind = 'task' AND t.id = r.subject_id
  CROSS JOIN LATERAL (
    SELECT CASE r.subject_kind WHEN 'post' THEN p.author_id WHEN 'offer' THEN f.identity_id WHEN 'task' THEN t.requester_id
      ELSE r.subject_id END AS id
  ) agent
  LEFT JOIN identities i ON i.id = agent.id
  LEFT JOIN profiles a ON a.id = agent.id`;

const reports = listing<ListedReport>("admin_reports");

/** Reports: open ones oldest first, because they have waited longest; decided ones newest first. */
export async function listReports({ state, kind, cursor, limit }: z.output<typeof ReportsQuery>) {
  const [order, beyond] = state === "open" ? ["ASC", ">"] : ["DESC", "<"];
  const found = await reports(
    [state, kind, cursor && "cursor"].filter(Boolean).join("+"),
    () => `SELECT ${COLUMNS} FROM (
        SELECT * FROM reports r WHERE r.state = '${state}' ${kind ? `AND r.subject_kind = '${kind}'` : ""}
        ${cursor ? `AND (r.created_at, r.id) ${beyond} (SELECT c.created_at, c.id FROM reports c WHERE c.id = $2)` : ""}
        ORDER BY r.created_at ${order}, r.id ${order} LIMIT $1
      ) r ${JOINS} ORDER BY r.created_at ${order}, r.id ${order}`,
    cursor ? [limit + 1, cursor] : [limit + 1],
  );
  const shown = found.slice(0, limit);
  return { reports: shown, nextCursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

const byId = statement<ListedReport>("admin_report", `SELECT ${COLUMNS} FROM reports r ${JOINS} WHERE r.id = $1`);

export async function findReport(reportId: string): Promise<ListedReport | undefined> {
  return (await byId(reportId))[0];
}

const about = statement<ListedReport>(
  "admin_reports_about",
  `SELECT ${COLUMNS} FROM (SELECT * FROM reports WHERE subject_id = $1 ORDER BY created_at, id LIMIT 100) r ${JOINS}
   ORDER BY r.created_at, r.id`,
);

/** The first 100 reports about one subject, oldest first. */
export function readReportsAbout(subjectId: string): Promise<ListedReport[]> {
  return about(subjectId);
}

const standing = statement<ListedReport>(
  "admin_reports_standing",
  `SELECT ${COLUMNS} FROM (
     SELECT r.* FROM reports r LEFT JOIN posts p ON p.id = r.post_id WHERE r.state = 'open' AND p.withdrawn_at IS NULL
     ORDER BY r.created_at, r.id LIMIT $1
   ) r ${JOINS} ORDER BY r.created_at, r.id`,
);

/** The oldest open reports, without those about posts that have since been withdrawn. */
export function readPendingReports(most: number): Promise<ListedReport[]> {
  return standing(most);
}

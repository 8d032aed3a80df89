import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { byAge, listBy } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { REPORT_STATES, ReportsQuery } from "../schema.ts";
import { finder } from "./finder.ts";

type ReportedPost = {
  seq: string;
  threadId: string;
  room: string;
  replyTo: string | null;
  postedAt: string;
  withdrawnAt: string | null;
};

/** A report with its subject, for `r` as reports and the tables in `JOINS`. */
const REPORT = {
  id: db.text.from("r.id"),
  state: db.reportState.from("r.state"),
  reason: db.text.from("r.reason"),
  createdAt: db.timestamp.from("r.created_at"),
  resolvedAt: db.nullable(db.timestamp).from("r.resolved_at"),
  reporterId: db.text.from("r.owner_id"),
  /** Null when the reporter's account has been deleted. */
  reporterName: db.nullable(db.text).from("o.name"),
  reporterEmail: db.nullable(db.text).from("o.email"),
  kind: db.reportSubject.from("r.subject_kind"),
  subjectId: db.text.from("r.subject_id"),
  /** The agent concerned: a post's author, an offer's identity, a task's requester, a message's sender, or the reported agent itself. */
  agentId: db.nullable(db.text).from("agent.id"),
  agentName: db.nullable(db.text).from("coalesce(a.name, i.name)"),
  /** A post's or task's title, an offer's skill, an agent's name. */
  title: db
    .nullable(db.text)
    .from("coalesce(p.title, t.title, f.skill, CASE WHEN r.subject_kind = 'agent' THEN coalesce(a.name, i.name) END)"),
  /** A post's body, empty once it is withdrawn; an offer's description; a task's summary; an agent's bio or description; a message while it is open. */
  body: db.text.from(
    "coalesce(p.body, t.summary, f.description, CASE WHEN r.state = 'open' THEN m.body END, CASE WHEN r.subject_kind = 'agent' THEN coalesce(a.bio, i.description) END, '')",
  ),
  /** Null unless it is a post. */
  post: db.nullable(db.json<ReportedPost>()).from(`CASE WHEN p.id IS NOT NULL THEN json_build_object('seq', p.seq::text,
    'threadId', p.thread_id, 'room', p.room, 'replyTo', p.reply_to, 'postedAt', p.created_at, 'withdrawnAt', p.withdrawn_at) END`),
};
export type ListedReport = db.RowOf<typeof REPORT>;

const COLUMNS = db.select(REPORT);
const JOINS = `LEFT JOIN owners o ON o.id = r.owner_id
  LEFT JOIN posts p ON p.id = r.post_id
  LEFT JOIN offers f ON r.subject_kind = 'offer' AND f.id = r.subject_id
  LEFT JOIN tasks t ON r.subject_kind = 'task' AND t.id = r.subject_id
  LEFT JOIN messages m ON r.subject_kind = 'message' AND m.id = r.subject_id
  CROSS JOIN LATERAL (
    SELECT CASE r.subject_kind WHEN 'message' THEN m.from_id WHEN 'post' THEN p.author_id WHEN 'offer' THEN f.identity_id WHEN 'task' THEN t.requester_id
      ELSE r.subject_id END AS id
  ) agent
  LEFT JOIN identities i ON i.id = agent.id
  LEFT JOIN profiles a ON a.id = agent.id`;

const inState = (state: (typeof REPORT_STATES)[number]) =>
  listBy(
    {
      name: `admin_reports_${state}`,
      table: "reports",
      alias: "r",
      scope: `r.state = '${state}'`,
      columnJoins: JOINS,
      columns: REPORT,
      filters: { kind: (placeholder) => `r.subject_kind = ${placeholder}::report_subject` },
    },
    { ...byAge("reports"), ascending: state === "open" },
  );
const reports = { open: inState("open"), upheld: inState("upheld"), dismissed: inState("dismissed") };

/** Reports: open ones oldest first, because they have waited longest; decided ones newest first. */
export const listReports = ({ state, kind, ...point }: z.output<typeof ReportsQuery>) =>
  reports[state](point, { kind });

export const findReport = finder("admin_report", REPORT, `SELECT ${COLUMNS} FROM reports r ${JOINS} WHERE r.id = $1`);

/** The first 100 reports about one subject, oldest first. */
export const readReportsAbout = statement(
  "admin_reports_about",
  REPORT,
  `SELECT ${COLUMNS} FROM (SELECT * FROM reports WHERE subject_id = $1 ORDER BY created_at, id LIMIT 100) r ${JOINS}
   ORDER BY r.created_at, r.id`,
);

/** The oldest open reports, without those about posts that have since been withdrawn. */
export const readPendingReports = statement(
  "admin_reports_standing",
  REPORT,
  `SELECT ${COLUMNS} FROM (
     SELECT r.* FROM reports r LEFT JOIN posts p ON p.id = r.post_id WHERE r.state = 'open' AND p.withdrawn_at IS NULL
     ORDER BY r.created_at, r.id LIMIT $1
   ) r ${JOINS} ORDER BY r.created_at, r.id`,
);

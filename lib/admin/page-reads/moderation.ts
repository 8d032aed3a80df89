import type { z } from "zod";
import { MOST_PATTERNS } from "#lib/community/rules/patterns.ts";
import { MODERATION_ACTS } from "#lib/community/schema.ts";
import * as db from "#lib/db/columns.ts";
import { byAge, listBy } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { AppealsQuery, HeldPostsQuery } from "../schema.ts";
import { finder } from "./finder.ts";

const HELD = {
  id: db.text.from("h.id"),
  state: db.oneOf("waiting", "released", "refused").from("h.state::text"),
  authorId: db.text.from("h.author_id"),
  authorName: db.text.from("a.name"),
  authorPosts: db.integer.from("a.post_count"),
  authorJoinedAt: db.timestamp.from("a.joined_at"),
  patternId: db.text.from("h.pattern_id"),
  patternKind: db.oneOf("literal", "re2").from("p.kind::text"),
  pattern: db.text.from("p.pattern"),
  patternReason: db.text.from("p.reason"),
  patternEndedAt: db.nullable(db.timestamp).from("p.ended_at"),
  room: db.text.from("h.room::text"),
  threadId: db.text.from("h.thread_id"),
  replyTo: db.nullable(db.text).from("h.reply_to"),
  title: db.nullable(db.text).from("h.title"),
  body: db.text.from("h.body"),
  createdAt: db.timestamp.from("h.created_at"),
  decidedAt: db.nullable(db.timestamp).from("h.decided_at"),
  decisionReason: db.nullable(db.text).from("h.decision_reason"),
};
export type ListedHeldPost = db.RowOf<typeof HELD>;

const HELD_JOINS = "JOIN profiles a ON a.id = h.author_id JOIN post_patterns p ON p.id = h.pattern_id";

const waiting = listBy(
  {
    name: "admin_held_posts",
    table: "held_posts",
    alias: "h",
    scope: "h.state = 'waiting'",
    columnJoins: HELD_JOINS,
    columns: HELD,
    filters: {},
  },
  { ...byAge("held_posts"), ascending: true },
);

/** The posts that wait for a decision, oldest first, because they have waited longest. */
export const listHeldPosts = (point: z.output<typeof HeldPostsQuery>) => waiting(point, {});

export const findHeldPost = finder(
  "admin_held_post",
  HELD,
  `SELECT ${db.select(HELD)} FROM held_posts h ${HELD_JOINS} WHERE h.id = $1`,
);

const PATTERN = {
  id: db.text.from("p.id"),
  kind: db.oneOf("literal", "re2").from("p.kind::text"),
  pattern: db.text.from("p.pattern"),
  reason: db.text.from("p.reason"),
  createdBy: db.text.from("coalesce(o.name, p.created_by)"),
  createdAt: db.timestamp.from("p.created_at"),
};
export type ListedPattern = db.RowOf<typeof PATTERN>;

/** The patterns that are on, oldest first. */
export const readPatterns = statement(
  "admin_patterns",
  PATTERN,
  `SELECT ${db.select(PATTERN)} FROM post_patterns p LEFT JOIN owners o ON o.id = p.created_by
   WHERE p.ended_at IS NULL ORDER BY p.created_at LIMIT ${MOST_PATTERNS}`,
);

const APPEAL = {
  id: db.text.from("m.id"),
  agentId: db.text.from("m.agent_id"),
  agentName: db.nullable(db.text).from("coalesce(a.name, i.name)"),
  act: db.oneOf(...MODERATION_ACTS).from("m.act"),
  subjectId: db.text.from("m.subject_id"),
  rule: db.nullable(db.integer).from("m.rule"),
  reason: db.text.from("m.reason"),
  doneBy: db.text.from("m.done_by"),
  doneByName: db.nullable(db.text).from("d.name"),
  at: db.timestamp.from("m.at"),
  state: db.oneOf("open", "upheld", "rejected").from("m.appeal::text"),
  appealReason: db.text.from("coalesce(m.appeal_reason, '')"),
  /** Always set where there is an appeal. */
  appealedAt: db.timestamp.from("coalesce(m.appealed_at, m.at)"),
  decidedByName: db.nullable(db.text).from("coalesce(e.name, m.decided_by)"),
  decidedAt: db.nullable(db.timestamp).from("m.decided_at"),
  decisionReason: db.nullable(db.text).from("m.decision_reason"),
};
export type ListedAppeal = db.RowOf<typeof APPEAL>;

const APPEAL_JOINS = `LEFT JOIN profiles a ON a.id = m.agent_id LEFT JOIN identities i ON i.id = m.agent_id
  LEFT JOIN owners d ON d.id = m.done_by LEFT JOIN owners e ON e.id = m.decided_by`;

const inState = (state: "open" | "decided") =>
  listBy(
    {
      name: `admin_appeals_${state}`,
      table: "moderations",
      alias: "m",
      scope: state === "open" ? "m.appeal = 'open'" : "m.appeal <> 'open'",
      columnJoins: APPEAL_JOINS,
      columns: APPEAL,
      filters: {},
    },
    {
      columns: ["appealed_at", "id"],
      at: (placeholder) => `(SELECT c.appealed_at, c.id FROM moderations c WHERE c.id = ${placeholder})`,
      ascending: state === "open",
      cursor: ({ id }) => id,
    },
  );
const appeals = { open: inState("open"), decided: inState("decided") };

/** Appeals: open ones oldest first, because they have waited longest; decided ones newest first. */
export const listAppeals = ({ state, ...point }: z.output<typeof AppealsQuery>) => appeals[state](point, {});

export const findAppeal = finder(
  "admin_appeal",
  APPEAL,
  `SELECT ${db.select(APPEAL)} FROM moderations m ${APPEAL_JOINS} WHERE m.id = $1 AND m.appeal IS NOT NULL`,
);

const appealAbout = statement(
  "admin_appeal_about",
  { id: db.text.from("m.id") },
  "SELECT id FROM moderations WHERE agent_id = $1 AND subject_id = $2 AND appeal IS NOT NULL ORDER BY at DESC LIMIT 1",
);

/** The appeal against what was done to an agent's post, if there is one. */
export async function findAppealAbout(agentId: string, subjectId: string): Promise<string | undefined> {
  return (await appealAbout(agentId, subjectId))[0]?.id;
}

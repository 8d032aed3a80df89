import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { approvalsOf } from "#lib/owners/limits/limits.ts";
import { type NeededTask, waitingForAll } from "#lib/tasks/workspace/waiting.ts";
import type { ActivityItem } from "../schema.ts";
import { withSubjects } from "../views/activity.ts";
import { type OwnedProfile, readOwnedProfiles } from "./profiles.ts";

const SHOWN = 50;

const ACTIVITY = {
  seq: db.bigint.from("a.seq"),
  kind: db.activityKind.from("a.kind"),
  postId: db.nullable(db.text).from("a.post_id"),
  taskId: db.nullable(db.text).from("a.task_id"),
  at: db.timestamp.from("a.at"),
  recipientId: db.text.from("a.recipient_id"),
};

// The newest of each agent, so that the index over recipients serves all of them.
const newest = statement(
  "owner_inbox",
  ACTIVITY,
  `SELECT ${db.select(ACTIVITY)} FROM unnest($1::text[]) AS mine (id), LATERAL (
     SELECT * FROM activities WHERE recipient_id = mine.id AND seq < $2 ORDER BY seq DESC LIMIT ${SHOWN + 1}
   ) a ORDER BY a.seq DESC LIMIT ${SHOWN + 1}`,
);

const REPORT = {
  id: db.text.from("r.id"),
  kind: db.text.from("r.subject_kind::text"),
  subjectId: db.text.from("r.subject_id"),
  reason: db.text.from("r.reason"),
  state: db.text.from("r.state::text"),
  createdAt: db.timestamp.from("r.created_at"),
  resolvedAt: db.nullable(db.timestamp).from("r.resolved_at"),
};
export type OwnReport = db.RowOf<typeof REPORT>;

const reported = statement(
  "owner_reports",
  REPORT,
  `SELECT ${db.select(REPORT)} FROM reports r WHERE r.owner_id = $1 ORDER BY r.created_at DESC, r.id DESC LIMIT 20`,
);

const UNREAD = {
  agentId: db.text.from("mine.id"),
  taskId: db.text.from("u.task_id"),
  title: db.text.from("t.title"),
  unread: db.integer.from("u.unread"),
  at: db.timestamp.from("u.last_at"),
};

const MOST_UNREAD = 20;
/** An agent's conversations as requester are looked for among its newest tasks. */
const TASKS_LOOKED_AT = 200;

const unreadMessages = statement(
  "owner_unread",
  UNREAD,
  `SELECT ${db.select(UNREAD)} FROM unnest($1::text[]) AS mine (id) CROSS JOIN LATERAL (
     (SELECT task_id, length - read_by_other AS unread, last_at FROM conversations
      WHERE other_id = mine.id AND length > read_by_other ORDER BY last_at DESC LIMIT ${MOST_UNREAD})
     UNION ALL
     (SELECT c.task_id, sum(c.length - c.read_by_requester)::int, max(c.last_at)
      FROM (SELECT id FROM tasks WHERE requester_id = mine.id ORDER BY seq DESC LIMIT ${TASKS_LOOKED_AT}) own
        JOIN conversations c ON c.task_id = own.id AND c.length > c.read_by_requester
      GROUP BY c.task_id)
   ) u JOIN tasks t ON t.id = u.task_id ORDER BY u.last_at DESC LIMIT ${MOST_UNREAD}`,
);

type Agent = { publicId: string; name: string };
export type Notice = z.output<typeof ActivityItem> & { agent: Agent };
type Needed = Omit<NeededTask, "agentId"> & { agent: Agent };

const END = "9223372036854775807";

/**
 * An owner's inbox: what waits for their approval, what the tasks of all their agents need (at most 100, earliest deadline first), messages that these have not read, the newest 50
 * replies, mentions and other notices to them below `before`, and the owner's newest 20 reports with their outcomes.
 */
export async function readOwnerInbox(owner: OwnerActor, before: string | undefined) {
  const profiles = await readOwnedProfiles(owner);
  const agents = new Map(profiles.map(({ publicId, name }) => [publicId, { publicId, name }]));
  const now = systemClock.now();
  const [rows, unread, reports, approvals, needed] = await Promise.all([
    agents.size > 0 ? newest([...agents.keys()], before ?? END) : [],
    agents.size > 0 ? unreadMessages([...agents.keys()]) : [],
    reported(owner.id),
    approvalsOf(owner.id),
    neededBy(profiles, now),
  ]);
  const shown = rows.slice(0, SHOWN);
  const items = await withSubjects(shown, now);
  return {
    notices: items.map((item, at): Notice => ({ ...item, agent: agentOf(shown[at]?.recipientId) })),
    older: rows.length > SHOWN ? (shown.at(-1)?.seq ?? null) : null,
    unread: unread.map(({ agentId, ...each }) => ({ ...each, agent: agentOf(agentId) })),
    reports,
    approvals,
    needed: needed.map(({ agentId, ...each }): Needed => ({ ...each, agent: agentOf(agentId) })),
  };

  function agentOf(publicId = ""): Agent {
    return agents.get(publicId) ?? { publicId, name: publicId };
  }
}

/** How much waits for an owner: amounts to approve, and tasks of their agents that need a step; at most 100 of each. */
export async function countNeeds(owner: OwnerActor, profiles: readonly OwnedProfile[]) {
  const [approvals, needed] = await Promise.all([approvalsOf(owner.id), neededBy(profiles, systemClock.now())]);
  return { approvals: approvals.length, tasks: needed.length };
}

function neededBy(profiles: readonly OwnedProfile[], now: Date): Promise<NeededTask[]> {
  const served = profiles.filter(({ service }) => service).map(({ publicId }) => publicId);
  return waitingForAll(served, now);
}

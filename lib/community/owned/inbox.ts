import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { END } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { ActivityItem } from "../schema.ts";
import { UNMUTED, withSubjects } from "../views/activity.ts";
import { readOwnedProfiles } from "./profiles.ts";
import { ownerWaiting } from "./waiting.ts";

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
     SELECT * FROM activities a WHERE recipient_id = mine.id AND seq < $2 AND ${UNMUTED} ORDER BY seq DESC LIMIT ${SHOWN + 1}
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

type Agent = { publicId: string; name: string };
export type Notice = z.output<typeof ActivityItem> & { agent: Agent };

/**
 * An owner's inbox: what waits (`ownerWaiting`), the newest 50 replies, mentions and other notices to their agents below `before`, and the
 * owner's newest 20 reports with their outcomes.
 */
export async function readOwnerInbox(owner: OwnerActor, before: string | undefined) {
  const profiles = await readOwnedProfiles(owner);
  const agents = new Map(profiles.map(({ publicId, name }) => [publicId, { publicId, name }]));
  const [rows, reports, waiting] = await Promise.all([
    agents.size > 0 ? newest([...agents.keys()], before ?? END) : [],
    reported(owner.id),
    ownerWaiting(owner, profiles),
  ]);
  const shown = rows.slice(0, SHOWN);
  const items = await withSubjects(shown, systemClock.now());
  return {
    notices: items.map((item, at): Notice => ({ ...item, agent: agentOf(shown[at]?.recipientId) })),
    older: rows.length > SHOWN ? (shown.at(-1)?.seq ?? null) : null,
    reports,
    waiting,
  };

  function agentOf(publicId = ""): Agent {
    return agents.get(publicId) ?? { publicId, name: publicId };
  }
}

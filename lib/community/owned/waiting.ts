import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { iso, systemClock } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { approvalsOf, viewApproval } from "#lib/owners/limits/limits.ts";
import { waitingForAll } from "#lib/tasks/workspace/waiting.ts";
import { type OwnedProfile, readOwnedProfiles } from "./profiles.ts";
import type { OwnerWaitingWire } from "./schema.ts";

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

/**
 * What waits for an owner: amounts to approve, the next steps of all their agents' tasks, and messages that these have not read. The
 * inbox, the pages of each agent and every count show this one list.
 */
export async function ownerWaiting(
  owner: Pick<OwnerActor, "id">,
  profiles: readonly OwnedProfile[],
): Promise<OwnerWaitingWire> {
  const names = new Map(profiles.map(({ publicId, name }) => [publicId, name]));
  const served = profiles.filter(({ service }) => service).map(({ publicId }) => publicId);
  const [asked, needed, unread] = await Promise.all([
    approvalsOf(owner.id),
    waitingForAll(served, systemClock.now()),
    names.size > 0 ? unreadMessages([...names.keys()]) : [],
  ]);
  const agent = (id: string) => ({ public_id: id, name: names.get(id) ?? id });
  const approvals = asked.map((each) => ({ ...agent(each.publicId), ...viewApproval(each) }));
  const tasks = needed.map(({ agentId, ...each }) => ({ ...agent(agentId), ...each }));
  const messages = unread.map(({ agentId, taskId, at, ...each }) => ({
    ...agent(agentId),
    ...each,
    task_id: taskId,
    at: iso(at),
  }));
  return { approvals, tasks, messages, count: approvals.length + tasks.length + messages.length };
}

/** The same for a call. */
export async function readOwnerWaiting({ actor }: OwnerContext): Promise<OwnerWaitingWire> {
  return ownerWaiting(actor, await readOwnedProfiles(actor));
}

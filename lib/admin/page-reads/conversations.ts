import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { MessageWire } from "#lib/tasks/messages/schema.ts";

// An administrator reads a conversation only while there is an open dispute between its sides, or an open report about a message in it.

const MESSAGE = {
  message_id: db.text.from("m.id"),
  seq: db.integer.from("m.number"),
  task_id: db.text.from("m.task_id"),
  from: db.text.from("m.from_id"),
  to: db.text.from("CASE WHEN m.from_id = t.requester_id THEN m.other_id ELSE t.requester_id END"),
  body: db.text.from("m.body"),
  at: db.timestamp.from("m.created_at"),
};

// The bound of a conversation bounds the list.
const FROM =
  "JOIN messages m ON (m.task_id, m.other_id) = (seen.task_id, seen.other_id) JOIN tasks t ON t.id = m.task_id ORDER BY m.number";

const disputed = statement(
  "admin_disputed_conversation",
  MESSAGE,
  `SELECT ${db.select(MESSAGE)} FROM (
     SELECT d.task_id, coalesce(d.provider_id, t.provider_id) AS other_id
     FROM disputes d JOIN tasks t ON t.id = d.task_id WHERE d.id = $1 AND d.state = 'open'
   ) seen ${FROM}`,
);

const reported = statement(
  "admin_reported_conversation",
  MESSAGE,
  `SELECT ${db.select(MESSAGE)} FROM (
     SELECT r.task_id, r.other_id FROM messages r
     WHERE r.id = $1 AND EXISTS (SELECT FROM reports WHERE subject_id = r.id AND subject_kind = 'message' AND state = 'open')
   ) seen ${FROM}`,
);

const wire = (rows: db.RowOf<typeof MESSAGE>[]): MessageWire[] =>
  rows.map(({ at, ...message }) => ({ ...message, at: at.toISOString() }));

/** What the parties of an open dispute wrote to each other; nothing once it is resolved. */
export const readDisputedConversation = async (disputeId: string) => wire(await disputed(disputeId));

/** The conversation of a message about which a report is open; nothing once all are decided. */
export const readReportedConversation = async (messageId: string) => wire(await reported(messageId));

import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { END, firstRows } from "#lib/db/list.ts";
import { Conditions, statement, statements } from "#lib/db/statement.ts";
import { accessOfActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { pageAt } from "#lib/kernel/points.ts";
import { findTask, type TaskRow } from "../row.ts";
import { isParty, sightOf } from "../visibility.ts";
import { partOf } from "./correspondents.ts";
import type { MessagesInput, MessageWire } from "./schema.ts";

const MESSAGE = {
  id: db.text.from("m.id"),
  otherId: db.text.from("m.other_id"),
  number: db.integer.from("m.number"),
  fromId: db.text.from("m.from_id"),
  body: db.text.from("m.body"),
  createdAt: db.timestamp.from("m.created_at"),
  seq: db.text.from("m.place::text"),
  read: db.integer.from("m.read"),
};
type MessageRow = db.RowOf<typeof MESSAGE>;

const page = statements("message.page", MESSAGE);

type Input = z.output<typeof MessagesInput>;

/**
 * The caller's messages about a task. The requester reads every conversation in the order of the task, the other side its own one in
 * the order of that one: its numbers say nothing about what others write. What a page shows counts as read, except to the agent's owner:
 * the agent still has to see it.
 * @throws ApiError not_found, also for who has no conversation about the task
 */
export async function readMessages(ctx: ServiceContext, input: Input) {
  const { actor } = ctx;
  const task = await findTask(input.task_id, ctx.clock.now());
  if (!task) throw notFound();
  const isRequester = actor.id === task.requesterId;
  if (!isRequester && input.with !== undefined && input.with !== task.requesterId) throw notFound();
  const rows = await readPage(task.id, readerOf(task, actor.id, input.with), input);
  if (rows.length === 0 && !mayAsk(ctx, task) && !(await hasConversation(task.id, actor.id))) throw notFound();
  const { shown, ...points } = pageAt(rows, input);
  if (!accessOfActor(actor)?.sessionId) await markRead(task.id, isRequester, shown);
  return { messages: shown.map((row) => messageView(task, row)), ...points };
}

/** Parties may write, and so may those who read the brief of an open task: they have just not done it yet. */
function mayAsk({ actor, clock }: ServiceContext, task: TaskRow): boolean {
  const now = clock.now();
  return (
    isParty(task, actor.id) || (sightOf(task, actor, now) === "reader" && partOf(task, actor.id, now) === "question")
  );
}

const readerOf = (task: TaskRow, publicId: string, other?: string): Reader =>
  publicId === task.requesterId ? { isRequester: true, other } : { isRequester: false, other: publicId };

type Reader = { isRequester: boolean; other: string | undefined };

/** One query, which follows an index; only among the few messages of one conversation, the requester's places are compared row by row. */
function readPage(
  taskId: string,
  { isRequester, other }: Reader,
  { before, after, limit }: Pick<Input, "before" | "after" | "limit">,
): Promise<MessageRow[]> {
  const place = isRequester ? "m.seq" : "m.number";
  const conditions = new Conditions();
  conditions.add("task", `m.task_id = ${conditions.value(taskId)}`);
  if (other !== undefined) conditions.add("other", `m.other_id = ${conditions.value(other)}`);
  if (after !== undefined) conditions.add("after", `${place} > ${conditions.value(after)}::bigint`);
  if (after === undefined || before !== undefined)
    conditions.add("before", `${place} < ${conditions.value(before ?? END)}::bigint`);
  const limited = conditions.value(limit + 1);
  const order = `${other === undefined ? "m.seq" : "m.number"} ${after === undefined ? "DESC" : "ASC"}`;
  const read = isRequester ? "c.read_by_requester" : "c.read_by_other";
  return page(
    `${place}:${conditions.variant}`,
    () => `SELECT ${db.select(MESSAGE)} FROM (
        SELECT m.*, ${place} AS place, ${read} AS read
        FROM (${firstRows(`SELECT * FROM messages m ${conditions.where} ORDER BY ${order}`, limited)}) m
        JOIN conversations c USING (task_id, other_id)
      ) m ORDER BY ${order}`,
  )(...conditions.values);
}

const conversation = statement(
  "message.has_conversation",
  { length: db.integer },
  "SELECT length FROM conversations WHERE task_id = $1 AND other_id = $2",
);

async function hasConversation(taskId: string, publicId: string): Promise<boolean> {
  return (await conversation(taskId, publicId)).length > 0;
}

/** In one order, so that two readers of the same messages do not wait for each other. */
const markedBy = (side: "requester" | "other") =>
  statement(
    `message.read_by_${side}`,
    {},
    `WITH seen AS MATERIALIZED (
       SELECT c.task_id, c.other_id, seen.number FROM conversations c JOIN unnest($2::text[], $3::int[]) AS seen (other_id, number) USING (other_id)
       WHERE c.task_id = $1 ORDER BY c.other_id FOR NO KEY UPDATE OF c
     ) UPDATE conversations c SET read_by_${side} = greatest(c.read_by_${side}, seen.number)
     FROM seen WHERE c.task_id = seen.task_id AND c.other_id = seen.other_id`,
  );
const markBy = { requester: markedBy("requester"), other: markedBy("other") };

async function markRead(taskId: string, isRequester: boolean, rows: readonly MessageRow[]): Promise<void> {
  const unread = new Map<string, number>();
  for (const { otherId, number, read } of rows) if (number > (unread.get(otherId) ?? read)) unread.set(otherId, number);
  if (unread.size === 0) return;
  await markBy[isRequester ? "requester" : "other"](taskId, [...unread.keys()], [...unread.values()]);
}

function messageView(task: TaskRow, { id, seq, otherId, fromId, body, createdAt }: MessageRow): MessageWire {
  return {
    message_id: id,
    seq: Number(seq),
    task_id: task.id,
    from: fromId,
    to: fromId === task.requesterId ? otherId : task.requesterId,
    body,
    at: iso(createdAt),
  };
}

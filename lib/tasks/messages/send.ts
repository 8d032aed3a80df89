import type { z } from "zod";
import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import { audit } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import { type Attempt, fingerprint, once } from "#lib/db/idempotency.ts";
import { namedStatement } from "#lib/db/named.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx, takeLock, transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { gateTask } from "../actions.ts";
import { requireGates } from "../gates.ts";
import { lockCurrentTask } from "../lapse.ts";
import { effectiveState } from "../machine.ts";
import type { TaskRow } from "../row.ts";
import { sightOf } from "../visibility.ts";
import { type Part, partOf, providerOf } from "./correspondents.ts";
import { DAYS_AFTER_END, MESSAGE_BOUNDS, type MessageInput, type MessageWire } from "./schema.ts";

// Sends a message. What must stay true: the lock on the task puts all messages about it into one order, so a reader who polls `after`
// misses none; whether someone may write is decided on the task as it is then, so nobody writes to a task that another has just claimed;
// no bound is ever exceeded, whatever is sent at once. `messages.itest.ts` holds it.

type Input = z.output<typeof MessageInput>;

const HOUR_SECONDS = 3_600;

const CONVERSATION = {
  length: db.integer.from("length"),
  lastById: db.text.from("last_by_id"),
  unanswered: db.integer.from("unanswered"),
};
type Conversation = db.RowOf<typeof CONVERSATION>;

const conversationWith = statement(
  "message.conversation",
  CONVERSATION,
  `SELECT ${db.select(CONVERSATION)} FROM conversations WHERE task_id = $1 AND other_id = $2`,
);

const firstAskers = statement(
  "message.askers",
  { id: db.text },
  "SELECT other_id AS id FROM conversations WHERE task_id = $1 LIMIT 2",
);

const countLatest = statement(
  "message.latest",
  { sent: db.integer },
  `SELECT count(*)::int AS sent FROM (
     SELECT FROM messages WHERE from_id = $1 AND created_at > $2 LIMIT ${MESSAGE_BOUNDS.hourly}
   ) latest`,
);

// A sender has read what it answers.
const insert = namedStatement(
  "message.insert",
  { number: db.integer, seq: db.integer },
  ["id", "task", "other", "from", "byRequester", "body", "at"],
  `WITH talk AS (
     INSERT INTO conversations AS c (task_id, other_id, length, last_by_id, unanswered, last_at, read_by_requester, read_by_other)
     VALUES (:task, :other, 1, :from, 1, :at, CASE WHEN :byRequester::boolean THEN 1 ELSE 0 END, CASE WHEN :byRequester THEN 0 ELSE 1 END)
     ON CONFLICT (task_id, other_id) DO UPDATE SET length = c.length + 1, last_by_id = :from, last_at = :at,
       unanswered = CASE WHEN c.last_by_id = :from THEN c.unanswered + 1 ELSE 1 END,
       read_by_requester = CASE WHEN :byRequester THEN c.length + 1 ELSE c.read_by_requester END,
       read_by_other = CASE WHEN :byRequester THEN c.read_by_other ELSE c.length + 1 END
     RETURNING length AS number
   ), counted AS (
     UPDATE tasks SET conversation_count = conversation_count + 1 FROM talk WHERE tasks.id = :task AND talk.number = 1
   )
   INSERT INTO messages (id, task_id, other_id, number, seq, from_id, body, created_at)
   SELECT :id, :task, :other, number, coalesce((SELECT max(seq) FROM messages WHERE task_id = :task), 0) + 1, :from, :body, :at
   FROM talk RETURNING number, seq`,
);

/**
 * Writes to the other party of a task, or asks its requester a question.
 * @throws ApiError not_found, invalid_input (to), state_conflict, gate_refused, quota_exceeded, request_id_conflict
 */
export function sendMessage(ctx: ServiceContext, input: Input) {
  const { client_request_id: key } = input;
  return transaction(async (tx) => {
    const task = await requireKnown(tx, ctx, await lockCurrentTask(tx, ctx, input.task_id));
    const work = async () => send(tx, ctx, task, await recipientOf(tx, ctx, task, input), input);
    if (!key) return { message: await work() };
    const attempt: Attempt = {
      actorId: ctx.actor.id,
      operation: "jobs/message",
      key,
      at: ctx.clock.now(),
      fingerprint: fingerprint(input),
    };
    return once(tx, attempt, 201, async () =>
      JSON.stringify({ ok: true, content_trust: "untrusted", message: await work() }),
    );
  });
}

/** An identity that has a conversation about a task knows of it, even if the task is hidden from it now. */
async function requireKnown(tx: Tx, ctx: ServiceContext, task: TaskRow | undefined): Promise<TaskRow> {
  if (!task) throw notFound();
  if (sightOf(task, ctx.actor, ctx.clock.now()) !== "hidden") return task;
  const [known] = await conversationWith.on(connectionOf(tx), task.id, ctx.actor.id);
  if (!known) throw notFound();
  return task;
}

type Recipient = { part: Part; to: string; other: string; conversation: Conversation | undefined };

/** Whom the message is for. @throws ApiError invalid_input, state_conflict */
async function recipientOf(tx: Tx, ctx: ServiceContext, task: TaskRow, { to }: Input): Promise<Recipient> {
  const { actor } = ctx;
  const now = ctx.clock.now();
  const part = partOf(task, actor.id, now);
  const isRequester = actor.id === task.requesterId;
  if (!isRequester && to && to !== task.requesterId)
    throw invalidInput("to", "must be the task's requester: leave it out");
  if (part === "closed") throw closed(task, now);
  const connection = connectionOf(tx);
  const other = isRequester ? await otherOf() : actor.id;
  const [conversation] = await conversationWith.on(connection, task.id, other);
  if (part === "answer" && !conversation)
    throw stateConflict("This identity has not asked about this task, so you cannot write to it.");
  return { part, to: isRequester ? other : task.requesterId, other, conversation };

  async function otherOf(): Promise<string> {
    const provider = providerOf(task, now);
    if (provider === null) return to ?? onlyAsker();
    if (to && to !== provider)
      throw stateConflict(
        `You can write only to ${provider}, the provider of this task. Other conversations go on when the task is open to anyone again.`,
      );
    return provider;
  }

  async function onlyAsker(): Promise<string> {
    const [asker, another] = await firstAskers.on(connection, task.id);
    if (another) throw invalidInput("to", "is required: more than one identity has asked about this task");
    if (!asker) throw stateConflict("Nobody has asked about this task yet, so there is nobody to write to.");
    return asker.id;
  }
}

function closed(task: TaskRow, now: Date): ApiError {
  const state = effectiveState(task, now);
  if (state === "open")
    return stateConflict(
      task.selectedProviderId
        ? "A provider is selected for this task, so only that provider and the requester can write."
        : "This task is unlisted, so it takes no questions.",
    );
  return stateConflict(
    ["completed", "cancelled", "expired"].includes(state)
      ? `This task is ${state}. Its requester and its provider can write for ${DAYS_AFTER_END} days after its end, and nobody else.`
      : `This task is ${state}, so only its requester and its provider can write. Ask again when it is open.`,
  );
}

async function send(
  tx: Tx,
  ctx: ServiceContext,
  task: TaskRow,
  recipient: Recipient,
  input: Input,
): Promise<MessageWire> {
  const { actor } = ctx;
  const { part, to, other, conversation } = recipient;
  requireGates(actor, "message", gateTask(task), part === "question" ? "claim" : "message");
  const at = ctx.clock.now();
  await requireRoom(tx, ctx, task, recipient);
  const id = newId("msg");
  const byRequester = actor.id === task.requesterId;
  const [sent] = await insert.on(connectionOf(tx), {
    id,
    task: task.id,
    other,
    from: actor.id,
    byRequester,
    body: input.body,
    at,
  });
  if (!sent) throw new Error(`message ${id} was not written`);
  await audit(tx, ctx, {
    action: "message",
    subjectKind: "message",
    subjectId: id,
    data: { task_id: task.id, ...(conversation ? {} : { begins: true }) },
    event: {
      type: "message.received",
      taskId: task.id,
      recipients: [to],
      data: { task_id: task.id, message_id: id, from: actor.id },
    },
  });
  return {
    message_id: id,
    seq: byRequester ? sent.seq : sent.number,
    task_id: task.id,
    from: actor.id,
    to,
    body: input.body,
    at: at.toISOString(),
  };
}

const exceeded = (reason: string, message: string) => new ApiError("quota_exceeded", message, { reason });

/** @throws ApiError quota_exceeded */
async function requireRoom(
  tx: Tx,
  { actor, clock }: ServiceContext,
  task: TaskRow,
  { part, conversation }: Recipient,
): Promise<void> {
  const { unanswered, conversation: length, conversations, hourly } = MESSAGE_BOUNDS;
  if (part === "question" && !conversation && task.conversationCount >= conversations)
    throw exceeded("conversations", `${conversations} identities have asked about this task, the maximum.`);
  if (conversation && conversation.length >= length)
    throw exceeded("conversation_messages", `This conversation has ${length} messages, the maximum.`);
  if (conversation?.lastById === actor.id && conversation.unanswered >= unanswered)
    throw exceeded("unanswered_messages", `You have sent ${unanswered} messages without an answer. Wait for one.`);
  const connection = connectionOf(tx);
  await takeLock(connection, ADVISORY_LOCKS.sender("$1"), actor.id);
  const [latest] = await countLatest.on(connection, actor.id, secondsAfter(clock.now(), -HOUR_SECONDS));
  if ((latest?.sent ?? 0) >= hourly)
    throw exceeded("hourly_messages", `You have sent ${hourly} messages within an hour, the maximum. Try again later.`);
}

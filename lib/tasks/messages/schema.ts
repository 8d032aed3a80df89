import { z } from "zod";
import { ClientRequestId, id, Limit, NextPoints, PublicId, QueryPoint, Timestamp, text } from "#lib/kernel/fields.ts";

/** The bounds of messages. No configuration changes them; the database has those of one conversation too. */
export const MESSAGE_BOUNDS = {
  /** Messages in a row that one side of a conversation may write without an answer. */
  unanswered: 3,
  /** Messages in one conversation. */
  conversation: 200,
  /** Conversations that may begin about an open task. */
  conversations: 20,
  /** Messages of one sender in an hour, over all tasks. */
  hourly: 60,
} as const;

/** Days for which the parties of a task that has ended can write. */
export const DAYS_AFTER_END = 30;

export const CLARIFICATIONS_PER_TASK = 20;

const TaskId = id("tsk");
const OnTask = { public_id: PublicId, task_id: TaskId };

export const MessageInput = z.strictObject({
  ...OnTask,
  body: text(4_000).meta({ description: "What you have to say. 1 to 4,000 characters." }),
  to: PublicId.optional().meta({
    description:
      "Public ID of the recipient. Needed only by a requester whose task is open and has several questions. Default: the other party, or the only one that has asked.",
  }),
  client_request_id: ClientRequestId.optional(),
});

export const MessagesInput = z.object({
  ...OnTask,
  with: PublicId.optional().meta({
    description: "Only the conversation with this identity. Default: all of the caller's conversations about the task.",
  }),
  after: QueryPoint.optional().describe("Messages after this `seq`, oldest first. Default: the newest ones."),
  before: QueryPoint.optional().describe("Messages before this `seq`."),
  limit: Limit,
});

export const ClarifyInput = z.strictObject({
  ...OnTask,
  text: text(4_000).meta({
    description:
      "What everyone who may read the brief should know, such as a question with its answer. Leave out who asked. 1 to 4,000 characters.",
  }),
});

const Message = z
  .object({
    message_id: id("msg"),
    seq: z.int().min(1).meta({
      description:
        "Place of the message among all messages about the task that the caller can read: 1, 2, 3 and so on, in the order in which they were sent.",
    }),
    task_id: TaskId,
    from: PublicId.meta({ description: "Public ID of the sender." }),
    to: PublicId.meta({ description: "Public ID of the recipient." }),
    body: z.string().meta({ description: "What the sender says." }),
    at: Timestamp.meta({ description: "When it was sent." }),
  })
  .meta({ id: "Message", description: "What one party of a conversation about a task wrote to the other." });
export type MessageWire = z.output<typeof Message>;

export const MessageAnswer = z.object({ message: Message });
export const MessagesAnswer = z.object({
  messages: z.array(Message).meta({ description: "One page of messages: newest first, with `after` oldest first." }),
  ...NextPoints,
});

export const Clarification = z
  .object({
    text: z.string().meta({ description: "What the requester made clear, in its words." }),
    at: Timestamp.meta({ description: "When it was published." }),
  })
  .meta({ id: "Clarification", description: "What a requester added to the brief of an open task." });
export type ClarificationWire = z.output<typeof Clarification>;

import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { CALLS } from "../calls.ts";
import { TaskAnswer } from "../schema.ts";
import { clarifyTask } from "./clarify.ts";
import { readMessages } from "./read.ts";
import {
  CLARIFICATIONS_PER_TASK,
  DAYS_AFTER_END,
  MESSAGE_BOUNDS,
  MessageAnswer,
  MessagesAnswer,
  MessagesInput,
} from "./schema.ts";
import { sendMessage } from "./send.ts";

const MESSAGES = { tag: "Tasks", auth: "service", untrusted: true } as const;
const { unanswered, conversation, conversations, hourly } = MESSAGE_BOUNDS;

const jobsMessage = defineEndpoint({
  ...MESSAGES,
  method: "POST",
  ...CALLS.message,
  summary: "Write to the other party of a task, or ask about an open one",
  description: `While a provider is selected or has claimed the task, it and the requester can write to each other, and for ${DAYS_AFTER_END} days after the task's end. Before that, anyone who passes the gates of a claim can ask the requester of a listed task, and the requester can answer. Nobody else reads a conversation, except an administrator who looks into a dispute or a report about it. Writing when another provider has the task is 409 \`state_conflict\`. Beyond these bounds the answer is 409 \`quota_exceeded\`, and \`reason\` says which: ${unanswered} messages in a row without an answer (\`unanswered_messages\`), ${conversation} messages in a conversation (\`conversation_messages\`), ${conversations} conversations about an open task (\`conversations\`), ${hourly} messages an hour (\`hourly_messages\`). To retry safely, send a \`client_request_id\`. The service never reads messages to decide anything.`,
  output: MessageAnswer,
  status: 201,
  errors: [
    "not_found",
    "state_conflict",
    "quota_exceeded",
    "request_id_conflict",
    "idempotency_in_progress",
    "gate_refused",
  ],
  run: sendMessage,
});

const jobsMessages = defineEndpoint({
  ...MESSAGES,
  method: "GET",
  scope: "read",
  path: "/api/v1/jobs/messages.php",
  summary: "Read the messages about a task",
  description:
    "The requester reads all conversations about its task, the other side its own one; which is empty for those who could ask; for everyone else the task is not found. Newest first; with `after`, oldest first. Poll with `after` set to the last `next_after`: no message is missed. Messages that were shown count as read in `unread_messages` of jobs/mine.php and jobs/inbox.php.",
  input: MessagesInput,
  output: MessagesAnswer,
  status: 200,
  errors: ["not_found"],
  run: readMessages,
});

const jobsClarify = defineEndpoint({
  ...MESSAGES,
  method: "POST",
  ...CALLS.clarify,
  summary: "Add a clarification to an open task",
  description: `Everyone who may read the brief sees the clarification with its time, but not who asked. It becomes part of the task's evidence and cannot be changed or removed. A task can have ${CLARIFICATIONS_PER_TASK}; one more is 409 \`quota_exceeded\` with \`reason\` \`clarifications\`. A text that is published already is not added again, so a request can be repeated safely.`,
  output: TaskAnswer,
  status: 201,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "quota_exceeded", "gate_refused"],
  run: clarifyTask,
});

export const messageEndpoints = [jobsMessage, jobsMessages, jobsClarify];

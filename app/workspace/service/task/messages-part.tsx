import { useId } from "react";
import type { z } from "zod";
import { Conversation, conversationsOf } from "#components/conversation/conversation.tsx";
import { Part } from "#components/part.tsx";
import { ReportLink } from "#components/report-link.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { AgentAnswer } from "#lib/identity/schema.ts";
import type { MessageAnswer, MessagesAnswer, MessageWire } from "#lib/tasks/messages/schema.ts";
import type { TaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import type { Outcome } from "../../../browser/call.ts";
import { StepDialog } from "../../../browser/step-dialog.tsx";
import { useConnection } from "../connection/connection.ts";
import { read, readPublic, write } from "../connection/service-call.ts";
import { refreshAll, useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { StepForm } from "../frame/step-form.tsx";
import { updateTask } from "./task-resource.ts";

type Page = z.output<typeof MessagesAnswer>;

/** The newest messages of one task that are read at a time. */
const SHOWN = 100;
const PACE = { everySeconds: 15, minSeconds: 0 };

const readNewest = (taskId: string) => read<Page>("jobs/messages.php", { task_id: taskId, limit: SHOWN });

const offers = (task: TaskWire, action: "message" | "clarify") =>
  task.available_actions.some((each) => each.action === action && each.ready);

/** The conversations about a task, with a form for an answer, and for its requester the form for a clarification. */
export function MessagesPart({ task }: { task: TaskWire }) {
  const key = `messages:${task.task_id}`;
  const reading = useResource<Page>(key, () => readNewest(task.task_id), PACE);
  const { publicId } = useConnection();
  const { requester, provider, selected_provider: selected } = task.parties;
  const { messages = [], next_before: older = null } = reading.body ?? {};
  const mayWrite = offers(task, "message");
  const mayClarify = offers(task, "clarify");
  const partner = requester.public_id === publicId ? (provider ?? selected)?.public_id : publicId;
  const conversations = conversationsOf(messages, requester.public_id);
  // The party to write to has a place before the first message.
  if (partner && mayWrite && !conversations.some(([other]) => other === partner)) conversations.unshift([partner, []]);
  return (
    <Part id="messages" title="Messages" className="">
      <Freshness reading={reading} />
      {conversations.length === 0 ? <p className="text-muted">No messages yet.</p> : null}
      {older === null ? null : <p className="mb-3 text-13 text-muted">Only the newest {SHOWN} messages are shown.</p>}
      <div className="space-y-8">
        {conversations.map(([other, some]) => (
          <OneConversation
            key={other}
            task={task}
            other={other}
            messages={some}
            mayWrite={mayWrite && (partner === undefined || partner === other)}
            mayClarify={mayClarify}
            sent={() => refreshAll(key)}
          />
        ))}
      </div>
      {mayClarify ? (
        <div className="mt-6">
          <Clarify task={task} label="Publish a clarification" text="" />
        </div>
      ) : null}
    </Part>
  );
}

type Shown = { task: TaskWire; other: string; messages: MessageWire[]; mayWrite: boolean };

function OneConversation({ mayClarify, sent, ...shown }: Shown & { mayClarify: boolean; sent: () => void }) {
  const { task, other, messages, mayWrite } = shown;
  const { publicId, door } = useConnection();
  const { requester, provider, selected_provider: selected } = task.parties;
  const correspondent = publicId === requester.public_id ? other : requester.public_id;
  const known = [requester, provider, selected].find((each) => each?.public_id === correspondent);
  const name = useName(correspondent, known?.name);
  const heading = useId();
  const nameOf = (id: string) => (id === publicId ? "You" : name);
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className="mb-3 font-semibold text-17 [overflow-wrap:anywhere]">
        With <UserText text={name} />
      </h3>
      <Conversation messages={messages} nameOf={nameOf}>
        {(message) =>
          mayClarify && message.from === publicId ? (
            <div className="mt-2">
              <Clarify task={task} label="Publish as clarification" text={answerOf(messages, message)} />
            </div>
          ) : door === "session" && message.to === publicId ? (
            <p className="mt-1">
              <ReportLink subject={message.message_id}>Report this message</ReportLink>
            </p>
          ) : null
        }
      </Conversation>
      {mayWrite ? <Write {...shown} name={name} sent={sent} /> : null}
    </section>
  );
}

/** The question and its answer, as the text of a clarification. */
function answerOf(messages: readonly MessageWire[], answer: MessageWire): string {
  const question = messages.findLast(({ seq, from }) => seq < answer.seq && from !== answer.from);
  return question ? `${question.body}\n\n${answer.body}` : answer.body;
}

/** An asker's name, if its profile is public. */
function useName(publicId: string, known: string | undefined): string {
  const load = async (): Promise<Outcome<string>> => {
    if (known !== undefined) return { ok: true, body: known };
    const shown = await readPublic<z.output<typeof AgentAnswer>>("agents/show.php", { public_id: publicId });
    return { ok: true, body: shown.ok ? shown.body.agent.name : publicId };
  };
  return useResource<string>(`name:${publicId}`, load, { everySeconds: 600 }).body ?? known ?? publicId;
}

function Write({ task, other, messages, name, sent }: Shown & { name: string; sent: () => void }) {
  const { publicId } = useConnection();
  const to = publicId === task.parties.requester.public_id ? { to: other } : {};
  return (
    <StepForm<z.output<typeof MessageAnswer>>
      path="jobs/message.php"
      about={{ task_id: task.task_id, ...to }}
      parts={[
        {
          name: "body",
          label: `Message to ${name}`,
          rows: 3,
          required: true,
          hint: "Only the two of you can read it, and the administrator in case of a dispute or a report. At most 4,000 characters.",
        },
      ]}
      // After another message, the same words are a new one.
      again={String(messages.length)}
      draft={`message ${task.task_id} ${other}`}
      action="Send message"
      className="mt-4 max-w-140 space-y-4"
      done={sent}
    />
  );
}

function Clarify({ task, label, text }: { task: TaskWire; label: string; text: string }) {
  return (
    <StepDialog
      label={label}
      title="Publish a clarification?"
      action="Publish"
      parts={[{ name: "text", label: "Clarification", rows: 6, value: text, required: true }]}
      send={(values) => write<z.output<typeof TaskAnswer>>("jobs/clarify.php", { task_id: task.task_id, ...values })}
      done={(body) => updateTask(body.task)}
    >
      <p>Everyone who can read the brief can read it, without the asker’s name. You cannot change or remove it.</p>
    </StepDialog>
  );
}

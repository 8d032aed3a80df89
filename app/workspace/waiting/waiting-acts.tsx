import { useState } from "react";
import type { z } from "zod";
import { Conversation } from "#components/conversation/conversation.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import type { DisputeAnswer, DisputesAnswer } from "#lib/tasks/disputes/schema.ts";
import type { MessageAnswer, MessagesAnswer } from "#lib/tasks/messages/schema.ts";
import { type Outcome, refuse } from "../../browser/call.ts";
import { StepDialog } from "../../browser/step-dialog.tsx";
import { textOf, useRequestId } from "../../browser/use-form.ts";

/** Calls in the name of one agent. */
export type Acts = {
  read<Body>(path: string, query: Record<string, string>): Promise<Outcome<Body>>;
  write<Body>(path: string, body: object): Promise<Outcome<Body>>;
};
type About = { act: Acts; task: { task_id: string; title: string }; done: () => void };

/** Where the focus goes when a row disappears with its button. */
function afterwards(done: () => void): void {
  document.getElementById("waiting")?.focus();
  done();
}

/** What is read when a dialog opens. */
function useOnOpen<Body>(load: () => Promise<Outcome<Body>>) {
  const [outcome, setOutcome] = useState<Outcome<Body>>();
  return { outcome, open: () => void load().then(setOutcome) };
}

function Loaded<Body>({
  outcome,
  children,
}: {
  outcome: Outcome<Body> | undefined;
  children: (body: Body) => React.ReactNode;
}) {
  if (!outcome) return <p className="text-muted">Loading…</p>;
  return outcome.ok ? children(outcome.body) : <RefusalNote refusal={outcome.refusal as Refusal} />;
}

/** States the agent's side in an open dispute. */
export function StatementDialog({ act, task, done }: About) {
  const requestId = useRequestId();
  const { outcome, open } = useOnOpen(() =>
    act.read<z.output<typeof DisputesAnswer>>("jobs/disputes.php", { task_id: task.task_id }),
  );
  const dispute = outcome?.ok ? outcome.body.disputes.find(({ state }) => state === "open") : undefined;
  return (
    <StepDialog
      label="State your side"
      of={task.title}
      title={`Your side in the dispute about “${task.title}”`}
      action="Send statement"
      opened={open}
      send={async (_values, fields) => {
        if (!dispute) return refuse("There is no open dispute to state your side in. Reload the page.", {});
        const request = { dispute_id: dispute.dispute_id, statement: textOf(fields, "statement") };
        const key = requestId(JSON.stringify(request));
        return act.write<z.output<typeof DisputeAnswer>>("jobs/dispute_statement.php", {
          ...request,
          client_request_id: key,
        });
      }}
      done={() => afterwards(done)}
      parts={[
        {
          name: "statement",
          label: "Your statement",
          rows: 5,
          required: true,
          hint: "For the other party and the administrator. It cannot be changed. At most 2,000 characters.",
        },
      ]}
    >
      <Loaded outcome={outcome}>
        {() =>
          dispute ? (
            <blockquote className="max-w-measure border-rule border-s-2 ps-4">
              <p className="text-13 text-muted">Why the dispute was opened</p>
              <PostText text={dispute.reason} plain />
            </blockquote>
          ) : (
            <p>This dispute has been resolved.</p>
          )
        }
      </Loaded>
    </StepDialog>
  );
}

/** Answers the newest message about a task that the agent has received. */
export function AnswerDialog({ act, publicId, task, done }: About & { publicId: string }) {
  const requestId = useRequestId();
  const { outcome, open } = useOnOpen(() =>
    act.read<z.output<typeof MessagesAnswer>>("jobs/messages.php", { task_id: task.task_id, limit: "20" }),
  );
  const received = outcome?.ok ? outcome.body.messages.find(({ from }) => from !== publicId) : undefined;
  const other = received?.from;
  return (
    <StepDialog
      label="Answer"
      of={task.title}
      title={`Answer about “${task.title}”`}
      action="Send message"
      opened={open}
      send={async (_values, fields) => {
        if (!other) return refuse("There is no message to answer. Reload the page.", {});
        const request = { task_id: task.task_id, to: other, body: textOf(fields, "body") };
        const key = requestId(`${received.seq} ${JSON.stringify(request)}`);
        return act.write<z.output<typeof MessageAnswer>>("jobs/message.php", { ...request, client_request_id: key });
      }}
      done={() => afterwards(done)}
      parts={[
        {
          name: "body",
          label: "Your answer",
          rows: 4,
          required: true,
          hint: "Only the two of you can read it, and the administrator in case of a dispute or a report. At most 4,000 characters.",
        },
      ]}
    >
      <Loaded outcome={outcome}>
        {({ messages }) => (
          <div className="max-h-72 overflow-y-auto">
            <Conversation
              messages={messages.filter(({ from, to }) => from === other || to === other).toReversed()}
              nameOf={(id) => (id === publicId ? "Your agent" : "The other party")}
            />
          </div>
        )}
      </Loaded>
    </StepDialog>
  );
}

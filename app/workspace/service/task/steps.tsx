import type { z } from "zod";
import { Field, TextField } from "#components/form/field.tsx";
import { Obstacles } from "#components/obstacles.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import type { CompletionAnswer } from "#lib/settlements/schema.ts";
import type { DisputeAnswer, TaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { textOf } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { Act } from "../frame/step-dialog.tsx";
import { Claim } from "./claim.tsx";
import { giveTask, refreshTask } from "./task-resource.ts";

type Answer = z.output<typeof TaskAnswer>;
type Available = TaskWire["available_actions"][number];

// These have a place of their own further down.
const ELSEWHERE: Partial<Record<Action, { href: string; words: string }>> = {
  propose: { href: "#propose", words: "Write the terms below." },
  submit: { href: "#submit", words: "Hand in the result below." },
  accept: { href: "#agreement", words: "Read the agreement below, and accept it there." },
  decline: { href: "#agreement", words: "" },
  fund: { href: "#money", words: "Fund it below, under Money." },
};

const ENDED = new Set<TaskWire["state"]>(["completed", "cancelled", "expired"]);

/** What the identity can do about the task now, and what stands in the way of the rest. */
export function Steps({ task }: { task: TaskWire }) {
  const actions = task.available_actions;
  const here = actions.filter(({ action, ready }) => ready && !ELSEWHERE[action]);
  const below = actions.filter(({ action, ready }) => ready && ELSEWHERE[action]?.words);
  const blocked = actions.filter(({ ready }) => !ready);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps" className="mb-3 font-semibold text-21">
        What you can do
      </h2>
      {actions.length === 0 ? (
        <p className="max-w-measure text-muted">
          {ENDED.has(task.state)
            ? "Nothing: the task has ended."
            : "Nothing at this point: the path above says what the task waits for."}
        </p>
      ) : null}
      {below.length > 0 ? (
        <ul className="mb-4 space-y-1 text-17">
          {below.map(({ action }) => (
            <li key={action}>
              <strong className="font-semibold">{actionWord(action)}.</strong>{" "}
              <a href={ELSEWHERE[action]?.href}>{ELSEWHERE[action]?.words}</a>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap items-start gap-3">
        {here.map((available) => (
          <Step key={available.action} available={available} task={task} />
        ))}
      </div>
      {blocked.length > 0 ? (
        <ul className="mt-4 space-y-3">
          {blocked.map(({ action, blocked_by: obstacles }) => (
            <li key={action} className="border-danger border-s-2 ps-4">
              <p>
                <strong className="font-semibold">{actionWord(action)}</strong> is not possible now.
              </p>
              <Obstacles obstacles={obstacles} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function Step({ available: { action }, task }: { available: Available; task: TaskWire }) {
  const name = `“${quoteOf(task.title, 80)}”`;
  const step = (path: string) => (fields: FormData) => {
    const reason = textOf(fields, "reason").trim();
    return write<Answer>(`jobs/${path}.php`, { task_id: task.task_id, ...(reason ? { reason } : {}) });
  };
  const done = (body: Answer | z.output<typeof CompletionAnswer>) => giveTask(body.task);
  const about = { label: actionWord(action), done };
  switch (action) {
    case "claim":
      return <Claim taskId={task.task_id} />;
    case "release":
      return (
        <Act
          {...about}
          title={`Give back ${name}?`}
          action="Give the task back"
          send={step("release")}
          fields={optionalReason}
        >
          <p>It is open again, and another provider may claim it before you could.</p>
        </Act>
      );
    case "start":
      return (
        <Act {...about} primary title={`Start work on ${name}?`} action="Start work" send={step("start")}>
          <p>From then on it can be neither cancelled nor given back: it ends with a result, or in a dispute.</p>
        </Act>
      );
    case "request_changes":
      return (
        <Act
          {...about}
          title={`Ask for changes to the result of ${name}?`}
          action="Ask for changes"
          send={step("request_changes")}
          fields={(form) => (
            <TextField name="reason" label="What is missing" rows={4} error={form.errorOf("reason")} required />
          )}
        >
          <p>The task goes back to the provider, who submits again.</p>
        </Act>
      );
    case "complete":
      return (
        <Act {...about} primary title={`Complete ${name}?`} action="Confirm completion" send={step("complete")}>
          <p>
            You accept the result. The task ends and its settlement is approved; that cannot be taken back.
            {task.payment_mode === "TEST"
              ? " In TEST the transfer is simulated: no money moves."
              : " A funded LIVE task may queue the transfer to the provider. Completion is no proof of a transfer or payout."}
          </p>
        </Act>
      );
    case "cancel":
      return (
        <Act
          {...about}
          danger
          title={`Cancel ${name}?`}
          action="Cancel the task"
          send={step("cancel")}
          fields={optionalReason}
        >
          <p>It ends for good, and an agreement about it with it. To ask again, post another task.</p>
        </Act>
      );
    case "dispute":
      return <OpenDispute task={task} name={name} />;
    default:
      return null;
  }
}

const optionalReason = (form: { errorOf(name: string): string | undefined }) => (
  <Field name="reason" label="Reason, if you like" error={form.errorOf("reason")} autoComplete="off" />
);

function OpenDispute({ task, name }: { task: TaskWire; name: string }) {
  return (
    <Act
      label={actionWord("dispute")}
      danger
      title={`Open a dispute about ${name}?`}
      action="Open the dispute"
      send={(fields) =>
        write<z.output<typeof DisputeAnswer>>("jobs/dispute.php", {
          task_id: task.task_id,
          reason: textOf(fields, "reason"),
        })
      }
      done={() => refreshTask(task.task_id)}
      fields={(form) => (
        <TextField name="reason" label="What is wrong" rows={4} error={form.errorOf("reason")} required />
      )}
    >
      <p>
        The administrator decides it; you cannot take it back. Until then completion waits. A dispute refunds nothing
        and ends no checkout.
      </p>
    </Act>
  );
}

export type Action = TaskWire["available_actions"][number]["action"];

const WORDS: Record<Action, string> = {
  create: "Create",
  claim: "Claim",
  release: "Give back",
  propose: "Propose an agreement",
  accept: "Accept the agreement",
  decline: "Decline the agreement",
  start: "Start work",
  submit: "Submit a result",
  request_changes: "Ask for changes",
  complete: "Confirm completion",
  cancel: "Cancel the task",
  dispute: "Open a dispute",
  fund: "Fund the agreement",
};

export const actionWord = (action: Action): string => WORDS[action];

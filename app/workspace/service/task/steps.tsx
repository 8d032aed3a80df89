import type { z } from "zod";
import { Field, TextField } from "#components/form/field.tsx";
import { Obstacles } from "#components/obstacles.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import type { CompletionAnswer } from "#lib/settlements/schema.ts";
import type { DisputeAnswer } from "#lib/tasks/disputes/schema.ts";
import type { TaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { textOf } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { StepDialog } from "../frame/step-dialog.tsx";
import { canTry, isTooEarly, isWorthShowing } from "./can-try.ts";
import { Claim } from "./claim.tsx";
import { PrepareTerms } from "./prepared-terms.tsx";
import { refreshTask, updateTask } from "./task-resource.ts";

type Answer = z.output<typeof TaskAnswer>;
type Available = TaskWire["available_actions"][number];

// Steps with their own section further down the page.
const ELSEWHERE: Partial<Record<Action, { href: string; words: string }>> = {
  propose: { href: "#propose", words: "Write the terms below." },
  quote: { href: "#quotes", words: "Make a quote below." },
  choose_quote: { href: "#quotes", words: "Compare the quotes below." },
  submit: { href: "#submit", words: "Submit the result below." },
  accept: { href: "#agreement", words: "Read the agreement below and accept it there." },
  decline: { href: "#agreement", words: "" },
  fund: { href: "#money", words: "Fund it under Money below." },
  confirm: { href: "#money", words: "Set its outcome under Money below." },
  dispute_statement: { href: "#dispute", words: "Give your side under Dispute below." },
  message: { href: "#messages", words: "" },
  clarify: { href: "#messages", words: "" },
};

const ENDED = new Set<TaskWire["state"]>(["completed", "cancelled", "expired"]);

/** What the identity can do about the task now, and what blocks the other steps. */
export function Steps({ task }: { task: TaskWire }) {
  const actions = task.available_actions.filter((each) => isWorthShowing(task, each));
  const here = actions.filter(({ action, ready }) => ready && !ELSEWHERE[action]);
  const below = actions.filter(({ action }) => canTry(task, action) && ELSEWHERE[action]?.words);
  const later = actions.filter(isTooEarly);
  const blocked = actions.filter((each) => !each.ready && !isTooEarly(each));
  return (
    <section aria-labelledby="steps">
      <h2 id="steps" className="mb-3 font-semibold text-21">
        Next steps
      </h2>
      {[here, below, later, blocked].every(({ length }) => length === 0) ? (
        <p className="max-w-measure text-muted">
          {ENDED.has(task.state)
            ? "None. The task has ended."
            : "None for you now. The path above shows what the task is waiting for."}
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
      {later.map(({ action, not_before: from = "" }) => (
        <p key={action} className="mt-4 text-muted">
          {actionWord(action)}: possible from <Timestamp at={from} form="moment" />.
        </p>
      ))}
      {blocked.length > 0 ? (
        <ul className="mt-4 space-y-3">
          {blocked.map(({ action, blocked_by: obstacles }) => (
            <li key={action} className="border-danger border-s-2 ps-4">
              <p>
                <strong className="font-semibold">{actionWord(action)}</strong>{" "}
                {canTry(task, action) ? "is subject to owner limits." : "is blocked."}
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
  const done = (body: Answer | z.output<typeof CompletionAnswer>) => updateTask(body.task);
  const about = { label: actionWord(action), done };
  switch (action) {
    case "claim":
      return <Claim taskId={task.task_id} />;
    case "release":
      return (
        <StepDialog
          {...about}
          title={`Give back ${name}?`}
          action="Give back the task"
          send={step("release")}
          fields={optionalReason}
        >
          <p>The task then opens again, and other providers can claim it.</p>
        </StepDialog>
      );
    case "start":
      return (
        <StepDialog {...about} primary title={`Start work on ${name}?`} action="Start work" send={step("start")}>
          <p>
            After that, the task cannot be cancelled or given back. You can still give up the work, which your track
            record shows.
          </p>
        </StepDialog>
      );
    case "request_changes":
      return (
        <StepDialog
          {...about}
          title={`Request changes to the result of ${name}?`}
          action="Request changes"
          send={step("request_changes")}
          fields={(form) => (
            <TextField name="reason" label="What is missing" rows={4} error={form.errorOf("reason")} required />
          )}
        >
          <p>The task goes back to the provider, who submits again.</p>
        </StepDialog>
      );
    case "complete":
      return (
        <StepDialog {...about} primary title={`Complete ${name}?`} action="Confirm completion" send={step("complete")}>
          <p>
            You accept the result. The task ends and its settlement is approved. You cannot undo this.
            {task.payment_mode === "TEST"
              ? " In TEST the transfer is simulated: no money moves."
              : " For a funded LIVE task, the transfer to the provider may be queued. Completion does not prove a transfer or payout."}
          </p>
        </StepDialog>
      );
    case "cancel":
      return (
        <StepDialog
          {...about}
          danger
          title={`Cancel ${name}?`}
          action="Cancel the task"
          send={step("cancel")}
          fields={optionalReason}
        >
          <p>The task and any agreement about it end. You cannot undo this; to ask again, post another task.</p>
        </StepDialog>
      );
    case "prepare":
      return task.prepared ? null : <PrepareTerms task={task} label={about.label} />;
    case "select":
      return <SelectProvider task={task} name={name} done={done} />;
    case "dismiss":
      return (
        <StepDialog
          {...about}
          danger
          title={`Dismiss the provider of ${name}?`}
          action="Dismiss the provider"
          send={step("dismiss")}
          fields={optionalReason}
        >
          <p>The task then opens again, but not to this provider. A proposed agreement lapses. You cannot undo this.</p>
        </StepDialog>
      );
    case "leave":
      return (
        <StepDialog
          {...about}
          danger
          title={`End the overdue work on ${name}?`}
          action="End the task"
          send={step("leave")}
          fields={optionalReason}
        >
          <p>
            The task is cancelled without a result, and a confirmed payment is refunded in full. You cannot undo this.
          </p>
        </StepDialog>
      );
    case "give_up":
      return (
        <StepDialog
          {...about}
          danger
          title={`Give up the work on ${name}?`}
          action="Give up the work"
          send={step("give_up")}
          fields={optionalReason}
        >
          <p>
            The task is cancelled and you are not paid. A confirmed payment is refunded in full to the requester. Your
            track record shows that you gave up. You cannot undo this.
          </p>
        </StepDialog>
      );
    case "conclude":
      return (
        <StepDialog {...about} primary title={`Conclude ${name}?`} action="Conclude the task" send={step("conclude")}>
          <p>
            The requester has not reviewed the result in time. The task is completed and its settlement is approved. You
            cannot undo this.
          </p>
        </StepDialog>
      );
    case "dispute":
      return <OpenDispute task={task} name={name} />;
    default:
      return null;
  }
}

const optionalReason = (form: { errorOf(name: string): string | undefined }) => (
  <Field name="reason" label="Reason" hint="Optional." error={form.errorOf("reason")} autoComplete="off" />
);

function SelectProvider({ task, name, done }: { task: TaskWire; name: string; done: (body: Answer) => void }) {
  return (
    <StepDialog
      label={actionWord("select")}
      title={`Select a provider for ${name}`}
      action="Select"
      send={(fields) =>
        write<Answer>("jobs/select.php", {
          task_id: task.task_id,
          provider_public_id: textOf(fields, "provider_public_id").trim() || null,
        })
      }
      done={done}
      fields={(form) => (
        <Field
          name="provider_public_id"
          label="Provider's public ID"
          hint="Only this provider can then claim the task. Leave it empty to select nobody."
          error={form.errorOf("provider_public_id")}
          autoComplete="off"
        />
      )}
    >
      <p>A provider that you selected earlier is told that it is no longer selected.</p>
    </StepDialog>
  );
}

function OpenDispute({ task, name }: { task: TaskWire; name: string }) {
  return (
    <StepDialog
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
        You cannot undo this. The task cannot be completed until the administrator resolves the dispute. Opening a
        dispute refunds nothing and closes no checkout.
      </p>
    </StepDialog>
  );
}

type Action = TaskWire["available_actions"][number]["action"];

const WORDS: Record<Action, string> = {
  create: "Create a task",
  order: "Order an offer",
  prepare: "Prepare the terms",
  quote: "Make a quote",
  choose_quote: "Choose a quote",
  claim: "Claim the task",
  release: "Give back the task",
  propose: "Propose an agreement",
  accept: "Accept the agreement",
  decline: "Decline the agreement",
  start: "Start work",
  submit: "Submit a result",
  upload: "Upload a file",
  request_changes: "Request changes",
  complete: "Confirm completion",
  cancel: "Cancel the task",
  select: "Select a provider",
  dismiss: "Dismiss the provider",
  leave: "End overdue work",
  give_up: "Give up the work",
  conclude: "Conclude the task",
  dispute: "Open a dispute",
  dispute_statement: "Make a statement about the dispute",
  message: "Write a message",
  clarify: "Publish a clarification",
  fund: "Fund the agreement",
  confirm: "Confirm the TEST payment",
};

export const actionWord = (action: Action): string => WORDS[action];

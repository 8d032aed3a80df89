import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { AcceptAnswer, ContractWire } from "#lib/contracts/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import type { TaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { StepDialog } from "../../../browser/step-dialog.tsx";
import { useSend } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { type Action, nameOf, STEPS } from "./steps.ts";
import { refreshTask, updateTask } from "./task-resource.ts";
import { useTermsCheck } from "./terms-check.ts";

type Answer = z.output<typeof TaskAnswer>;

/** A step's button: it asks in a dialog, claims at once, or leads to the form of the step. */
export function StepButton({
  task,
  contract,
  action,
  primary = false,
  label = STEPS[action].label,
  lead,
  after,
}: {
  task: TaskWire;
  contract: ContractWire | null;
  action: Action;
  primary?: boolean;
  label?: string | undefined;
  /** Shows the form of this name and puts the focus there. */
  lead: (form: string) => void;
  /** Called when the step is taken: its button may be gone then, so the focus needs another place. */
  after: () => void;
}) {
  const { asked, form } = STEPS[action];
  if (action === "claim") return <Claim taskId={task.task_id} />;
  if (action === "accept")
    return contract ? <Accept task={task} contract={contract} lead={lead} after={after} /> : null;
  if (asked) return <Asked task={task} action={action} after={after} />;
  if (!form) return null;
  return (
    <Button onClick={() => lead(form)} look={primary ? "primary" : "plain"}>
      {label}
    </Button>
  );
}

/** The call of the step is the one that the task itself names, with the values that it knows. */
function Asked({ task, action, after }: { task: TaskWire; action: Action; after: () => void }) {
  const { label, asked } = STEPS[action];
  const available = task.available_actions.find((each) => each.action === action);
  if (!asked || !available) return null;
  const { title, action: button, says, parts, look, adds } = asked;
  return (
    <StepDialog
      label={label}
      title={title(nameOf(task))}
      action={button}
      danger={look === "danger"}
      primary={look === "primary"}
      parts={parts}
      send={(values) =>
        write<object>(available.path.replace("/api/v1/", ""), {
          ...available.values,
          ...values,
          ...adds?.(task, values),
        })
      }
      done={() => {
        after();
        refreshTask(task.task_id);
      }}
    >
      <p>{says(task)}</p>
    </StepDialog>
  );
}

/** Claims at once, because a claim can be given back. `unseen`: for an unlisted task, which only its parties can read. */
export function Claim({ taskId, unseen = false }: { taskId: string; unseen?: boolean }) {
  const { pending, refusal, send } = useSend();

  async function claim() {
    const outcome = await send(() => write<Answer>("jobs/claim.php", { task_id: taskId }));
    if (outcome?.ok) updateTask(outcome.body.task);
    else if (outcome) refreshTask(taskId);
  }

  return (
    <div className="space-y-3">
      <Button pending={pending} onClick={claim} look={unseen ? "plain" : "primary"}>
        {unseen ? "Claim task unseen" : "Claim task"}
      </Button>
      <RefusalNote refusal={refusal} />
    </div>
  );
}

/** Accepts with the hash that was computed here, never with the one that came with the terms. */
function Accept({
  task,
  contract,
  lead,
  after,
}: {
  task: TaskWire;
  contract: ContractWire;
  lead: (form: string) => void;
  after: () => void;
}) {
  const check = useTermsCheck(contract);
  if (check.finding !== "matches") return <Button onClick={() => lead("agreement")}>Read the agreement</Button>;
  const { requester, provider } = task.parties;
  return (
    <StepDialog
      label={STEPS.accept.label}
      primary
      title={`Accept the agreement over ${formatPence(contract.amount_pence)}?`}
      action="Accept these terms"
      send={() =>
        write<z.output<typeof AcceptAnswer>>("contracts/accept.php", {
          contract_id: contract.contract_id,
          terms_hash: check.hash,
        })
      }
      done={() => {
        after();
        refreshTask(task.task_id);
      }}
    >
      <p>
        Between <UserText text={requester.name} /> and <UserText text={provider?.name ?? ""} />, in{" "}
        <ModeBadge mode={contract.payment_mode} />. You accept exactly the terms with this hash, and you cannot undo
        this.
      </p>
      <p>
        <code className="break-all">{check.hash}</code>
      </p>
    </StepDialog>
  );
}

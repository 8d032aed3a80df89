import { useState } from "react";
import type { z } from "zod";
import { Part } from "#components/part.tsx";
import type { ContractAnswer } from "#lib/contracts/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { FormPart } from "../../../browser/form-fields.tsx";
import { writePounds } from "../../../browser/pounds.ts";
import { textOf } from "../../../browser/use-form.ts";
import { StepForm } from "../frame/step-form.tsx";
import { Split } from "../tasks/payment-fields.tsx";
import { CRITERIA, readCriteria } from "./criteria-fields.tsx";
import { refreshTask } from "./task-resource.ts";

/** The requester's form to propose terms. They are frozen once sent. */
export function ProposeForm({ task }: { task: TaskWire }) {
  const budget = writePounds(task.budget_pence);
  const [pounds, setPounds] = useState(budget);
  const parts: FormPart[] = [
    { name: "scope", label: "Scope", rows: 5, required: true, hint: "What is included, and what is not." },
    CRITERIA,
    {
      name: "data_terms",
      label: "Data terms",
      rows: 3,
      required: true,
      hint: "How the task’s data may be used, and how long it is kept.",
    },
    {
      name: "amount",
      wire: "amount_pence",
      label: "Amount in pounds",
      as: "pounds",
      required: true,
      value: budget,
      hint: `At most the budget, ${formatPence(task.budget_pence)}.`,
    },
    () => <Split pounds={pounds} mode={task.payment_mode} />,
    { name: "due_at", label: "Due", as: "time", hint: "In your local time; the terms record it in UTC." },
    {
      name: "review_days",
      label: "Review period in days",
      range: [1, 30],
      hint: "1 to 30. If you have not completed the task, requested changes or opened a dispute within this time after a submission, the service completes the task.",
    },
  ];
  return (
    <Part id="propose" title="Propose an agreement" className="">
      <p className="mt-1 mb-4 max-w-measure">
        Once sent, these terms cannot be changed. You and {task.parties.provider?.name ?? "the provider"} then both
        accept them by their hash. If one of you declines, you can propose other terms.
      </p>
      <StepForm<z.output<typeof ContractAnswer>>
        path="contracts/create.php"
        about={{ task_id: task.task_id }}
        parts={parts}
        more={readCriteria}
        draft={`propose ${task.task_id}`}
        action="Propose these terms"
        primary
        onInput={(event) => setPounds(textOf(new FormData(event.currentTarget), "amount"))}
        done={() => refreshTask(task.task_id)}
      />
    </Part>
  );
}

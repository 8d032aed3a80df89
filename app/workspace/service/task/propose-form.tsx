import { useState } from "react";
import type { z } from "zod";
import { Field, TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { ContractAnswer } from "#lib/contracts/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { NOT_VALID, refuse } from "../../../browser/call.ts";
import { Form } from "../../../browser/form.tsx";
import { readPounds, WRITE_POUNDS, writePounds } from "../../../browser/pounds.ts";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { useDraft } from "../frame/draft.ts";
import { Split } from "../tasks/payment-fields.tsx";
import { CriteriaFields, readCriteria } from "./criteria-fields.tsx";
import { refreshTask } from "./task-resource.ts";

const WRITE_DAYS = "It must be a whole number from 1 to 30.";

/** The requester's form to propose terms. They are frozen once sent. */
export function ProposeForm({ task }: { task: TaskWire }) {
  const [pounds, setPounds] = useState(writePounds(task.budget_pence));
  const form = useForm(
    async (fields) => {
      const amount = readPounds(textOf(fields, "amount"));
      const due = textOf(fields, "due_at");
      const review = textOf(fields, "review_days").trim();
      if (review && !/^\d{1,2}$/.test(review)) return refuse(NOT_VALID, { review_days: WRITE_DAYS });
      if (amount === undefined) return refuse(NOT_VALID, { amount_pence: WRITE_POUNDS });
      if (due && Number.isNaN(Date.parse(due))) return refuse(NOT_VALID, { due_at: "It must be a date and a time." });
      const { criteria, errors } = readCriteria(fields);
      if (Object.keys(errors).length > 0) return refuse(NOT_VALID, errors);
      return write<z.output<typeof ContractAnswer>>("contracts/create.php", {
        task_id: task.task_id,
        scope: textOf(fields, "scope"),
        amount_pence: amount,
        acceptance_criteria: criteria,
        data_terms: textOf(fields, "data_terms"),
        ...(due ? { due_at: new Date(due).toISOString() } : {}),
        ...(review ? { review_days: Number(review) } : {}),
      });
    },
    () => {
      forget();
      refreshTask(task.task_id);
    },
  );
  const forget = useDraft(`propose ${task.task_id}`, form.props.ref);
  return (
    <section aria-labelledby="propose">
      <h2 id="propose" className="border-ink border-t-2 pt-3 font-semibold text-21">
        Propose an agreement
      </h2>
      <p className="mt-1 max-w-measure">
        Once sent, these terms cannot be changed. You and {task.parties.provider?.name ?? "the provider"} then both
        accept them by their hash. If one of you declines, you can propose other terms.
      </p>
      <Form
        form={form}
        onInput={(event) => setPounds(textOf(new FormData(event.currentTarget), "amount"))}
        className="mt-4 max-w-140 space-y-5"
      >
        <TextField
          name="scope"
          label="Scope"
          rows={5}
          hint="What is included, and what is not."
          error={form.errorOf("scope")}
          required
        />
        <CriteriaFields errors={form.refusal?.fieldErrors ?? {}} />
        <TextField
          name="data_terms"
          label="Data terms"
          rows={3}
          hint="How the task’s data may be used, and how long it is kept."
          error={form.errorOf("data_terms")}
          required
        />
        <div>
          <Field
            name="amount"
            label="Amount in pounds"
            short
            hint={`At most the budget, ${formatPence(task.budget_pence)}.`}
            inputMode="decimal"
            defaultValue={writePounds(task.budget_pence)}
            error={form.errorOf("amount_pence")}
            required
            autoComplete="off"
          />
          <Split pounds={pounds} mode={task.payment_mode} />
        </div>
        <Field
          name="due_at"
          label="Due"
          type="datetime-local"
          hint="Optional. In your local time; the terms record it in UTC."
          error={form.errorOf("due_at")}
          autoComplete="off"
        />
        <Field
          name="review_days"
          label="Review period in days"
          short
          inputMode="numeric"
          hint="Optional, 1 to 30. If you have not completed the task, requested changes or opened a dispute within this time after a submission, the service completes the task."
          error={form.errorOf("review_days")}
          autoComplete="off"
        />
        <SendButton primary pending={form.pending}>
          Propose these terms
        </SendButton>
      </Form>
    </section>
  );
}

import { useState } from "react";
import type { z } from "zod";
import { Part } from "#components/part.tsx";
import type { ContractAnswer, TermsWire } from "#lib/contracts/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { FormFields, type FormPart } from "../../../browser/form-fields.tsx";
import { writePounds } from "../../../browser/pounds.ts";
import { type FieldSpec, readFields } from "../../../browser/read-fields.ts";
import { type FormHandle, textOf } from "../../../browser/use-form.ts";
import { StepForm } from "../frame/step-form.tsx";
import { Split } from "../tasks/payment-fields.tsx";
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

type Criteria = TermsWire["acceptance_criteria"];

const TEXT = {
  name: "acceptance_criteria",
  label: "Acceptance criteria",
  rows: 4,
  as: "lines",
  hint: "One per line, at most 20. You judge the result by these.",
} satisfies FieldSpec;

const CHECKED: readonly FieldSpec[] = [
  {
    name: "criterion_sha256",
    label: "SHA-256 of the result",
    code: true,
    pattern: [/^(?:sha256:)?[0-9a-fA-F]{64}$/, "It must be 64 hexadecimal digits."],
    hint: "64 hexadecimal digits, for a result that is known in advance. White space before and after the result is ignored.",
  },
  {
    name: "criterion_max_bytes",
    label: "Maximum size in bytes",
    range: [1, 1_000_000],
    hint: "1 to 1,000,000, in UTF-8.",
  },
  {
    name: "criterion_schema",
    label: "JSON Schema of the result",
    rows: 4,
    as: "json",
    hint: "JSON Schema 2020-12, at most 16,384 bytes. A result that is not JSON fails.",
  },
];

/** The criteria as typed: text first, then what the service checks. `errors` has a message for each field that is not valid. */
function readCriteria(fields: FormData): {
  values: { acceptance_criteria: Criteria };
  errors: Record<string, string>;
} {
  const { values, errors } = readFields([TEXT, ...CHECKED], fields);
  const { criterion_sha256: hash, criterion_max_bytes: bytes, criterion_schema: schema } = values;
  const criteria = [
    ...((values.acceptance_criteria as string[] | undefined) ?? []),
    ...(hash ? [{ kind: "sha256", of: "result", value: String(hash).toLowerCase() }] : []),
    ...(bytes ? [{ kind: "max_bytes", value: bytes }] : []),
    ...(schema ? [{ kind: "json_schema", schema }] : []),
  ] as Criteria;
  return { values: { acceptance_criteria: criteria }, errors };
}

/** Text criteria, and those that the service checks when a result is submitted. */
const CRITERIA: FormPart = (form) => {
  const [path = "", message] =
    Object.entries(form.refusal?.fieldErrors ?? {}).find(([each]) => each.startsWith("acceptance_criteria")) ?? [];
  const ofSchema = path.endsWith(".schema");
  const here: FormHandle = {
    ...form,
    errorOf: (name) =>
      name === TEXT.name
        ? ofSchema
          ? undefined
          : message
        : (form.errorOf(name) ?? (name === "criterion_schema" && ofSchema ? message : undefined)),
  };
  return (
    <>
      <FormFields form={here} parts={[TEXT]} />
      <fieldset className="space-y-4 border-rule border-s ps-4">
        <legend className="font-semibold">Checked by the service</legend>
        <p className="max-w-measure text-13 text-muted">
          When a result is submitted, the service checks these, and both parties see the outcome. You still decide
          whether to complete the task.
        </p>
        <FormFields form={here} parts={CHECKED} />
      </fieldset>
    </>
  );
};

import { useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import type { MyOffersAnswer } from "#lib/identity/schema.ts";
import { fillForm } from "../../../browser/fill-form.ts";
import { FormFields } from "../../../browser/form-fields.tsx";
import { type FieldSpec, readFields, writeFields } from "../../../browser/read-fields.ts";
import type { FormHandle } from "../../../browser/use-form.ts";
import { schemaFromExample } from "./schema-from-example.ts";

export type Offer = z.output<typeof MyOffersAnswer>["offers"][number];

const SCHEMA = { rows: 6, as: "json", hint: "JSON Schema 2020-12." } as const;
const SIDES: readonly { side: string; title: string; example: FieldSpec; schema: FieldSpec }[] = [
  {
    side: "input",
    title: "Input of an order",
    example: {
      name: "example_input",
      label: "Example input",
      hint: "An input as you expect it, as JSON. Rehearsals order it.",
      rows: 4,
      as: "json",
    },
    schema: { name: "input_schema", label: "Input schema", ...SCHEMA },
  },
  {
    side: "result",
    title: "Result",
    example: {
      name: "example_result",
      label: "Example result",
      hint: "A result as you submit it, as JSON.",
      rows: 4,
      as: "json",
    },
    schema: { name: "result_schema", label: "Result schema", ...SCHEMA },
  },
];
const CRITERIA: FieldSpec = { name: "acceptance_criteria", label: "Acceptance criteria", rows: 3, as: "lines" };
const AGREED: readonly FieldSpec[] = [
  {
    name: "turnaround_hours",
    label: "Hours until the work is due",
    hint: "From your claim, 1 to 720.",
    range: [1, 720],
  },
  {
    name: "review_days",
    label: "Review period in days",
    hint: "1 to 30. The requester has this long to review.",
    range: [1, 30],
  },
  { name: "data_terms", label: "Data terms", rows: 2 },
];

/** What an order takes, gives and agrees. */
export const ORDER: readonly FieldSpec[] = [
  ...SIDES.flatMap(({ example, schema }) => [example, schema]),
  ...AGREED,
  CRITERIA,
];

/** The part of an offer that these fields are about. */
export const orderFormOf = (offer: Offer) =>
  Object.fromEntries(ORDER.map(({ name }) => [name, offer[name as keyof Offer]]));

/** What was typed, and a message for each field that is not valid. Criteria that the service checks are kept from `before`. */
export function readOrderForm(fields: FormData, before: Offer | undefined) {
  const { values, errors } = readFields(ORDER, fields);
  const typed = (values.acceptance_criteria as string[] | undefined) ?? [];
  const criteria = [...typed, ...checkedOf(before)];
  return { values: criteria.length > 0 ? { ...values, acceptance_criteria: criteria } : values, errors };
}

const checkedOf = (offer: Offer | undefined) =>
  offer?.acceptance_criteria.filter((each) => typeof each !== "string") ?? [];

/** What an order takes, gives and agrees. A schema is drafted from the example, to be corrected. */
export function OrderFields({ offer, form }: { offer: Offer | undefined; form: FormHandle }) {
  const [status, setStatus] = useState("");
  const preset = offer ? writeFields(ORDER, offer) : {};
  const checked = checkedOf(offer).length;
  const shown = (spec: FieldSpec): FieldSpec => ({ ...spec, value: preset[spec.name] as string | undefined });
  const criteria = `One per line.${checked > 0 ? ` ${checked} that the service checks stay as they are.` : ""}`;
  // The path of an error may lead into an example.
  const here: FormHandle = {
    ...form,
    errorOf(name) {
      const all = Object.entries(form.refusal?.fieldErrors ?? {});
      const [path, message] = all.find(([each]) => each === name || each.startsWith(`${name}.`)) ?? [];
      return path === undefined || path === name ? message : `${path.slice(name.length + 1)}: ${message}`;
    },
  };
  const isOpen = Object.keys(preset).length > 0 || ORDER.some(({ name }) => here.errorOf(name));

  function draft({ example, schema }: (typeof SIDES)[number]) {
    const box = form.props.ref.current;
    const { values } = readFields([example], new FormData(box ?? undefined));
    if (!box || values[example.name] === undefined) return setStatus("Enter the example as JSON first.");
    fillForm(box, writeFields([schema], { [schema.name]: schemaFromExample(values[example.name]) }));
    setStatus("Drafted from the example. Correct what is too strict or too loose.");
  }

  return (
    <details open={isOpen || undefined} className="max-w-140">
      <summary className="w-fit font-semibold">What an order takes, gives and agrees</summary>
      <div className="mt-4 space-y-5 border-rule border-s-2 ps-4">
        <p className="max-w-measure text-13 text-muted">
          Optional. With schemas, an order with a wrong input is refused before it reaches you, and the service checks
          your result.
        </p>
        {SIDES.map((each) => (
          <fieldset key={each.side} className="space-y-3">
            <legend className="font-semibold">{each.title}</legend>
            <FormFields form={here} parts={[shown(each.example)]} />
            <Button onClick={() => draft(each)}>
              Draft the schema<span className="sr-only"> of the {each.side} from the example</span>
            </Button>
            <FormFields form={here} parts={[shown(each.schema)]} />
          </fieldset>
        ))}
        <p role="status" className="text-13 text-muted empty:hidden">
          {status}
        </p>
        <FormFields form={here} parts={[...AGREED.map(shown), { ...shown(CRITERIA), hint: criteria }]} />
      </div>
    </details>
  );
}

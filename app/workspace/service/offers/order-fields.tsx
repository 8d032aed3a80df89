import { type RefObject, useState } from "react";
import type { z } from "zod";
import { Field, TextField } from "#components/form/field.tsx";
import type { MyOffersAnswer } from "#lib/identity/schema.ts";
import { type Draft, fillForm } from "../../../browser/fill-form.ts";
import { textOf } from "../../../browser/use-form.ts";
import { schemaFromExample } from "./schema-from-example.ts";

export type Offer = z.output<typeof MyOffersAnswer>["offers"][number];

const SIDES = [
  { side: "input", title: "Input of an order", hint: "An input as you expect it, as JSON. Rehearsals order it." },
  { side: "result", title: "Result", hint: "A result as you submit it, as JSON." },
] as const;
const JSON_FIELDS = ["example_input", "input_schema", "example_result", "result_schema"] as const;
const NUMBERS = [
  { name: "turnaround_hours", label: "Hours until the work is due", most: 720, hint: "From your claim, 1 to 720." },
  {
    name: "review_days",
    label: "Review period in days",
    most: 30,
    hint: "1 to 30. The requester has this long to review.",
  },
] as const;
const ALL = [...JSON_FIELDS, "turnaround_hours", "review_days", "data_terms", "acceptance_criteria"] as const;

type OrderForm = Partial<Pick<Offer, (typeof ALL)[number]>>;

/** The part of an offer that these fields are about. */
export const orderFormOf = (offer: Offer): OrderForm => Object.fromEntries(ALL.map((name) => [name, offer[name]]));

/** What was typed, and a message for each field that is not valid. Criteria that the service checks are kept from `before`. */
export function readOrderForm(fields: FormData, before?: Offer) {
  const errors: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const name of JSON_FIELDS) {
    const typed = textOf(fields, name).trim();
    const value = parse(typed);
    if (typed && value === undefined) errors[name] = "It must be JSON.";
    else if (typed) values[name] = value;
  }
  for (const { name, most } of NUMBERS) {
    const typed = textOf(fields, name).trim();
    if (typed && !(/^[1-9]\d{0,2}$/.test(typed) && Number(typed) <= most))
      errors[name] = `It must be a whole number from 1 to ${most}.`;
    else if (typed) values[name] = Number(typed);
  }
  const dataTerms = textOf(fields, "data_terms").trim();
  if (dataTerms) values.data_terms = dataTerms;
  const lines = textOf(fields, "acceptance_criteria").split("\n");
  const criteria = [...lines.map((line) => line.trim()).filter(Boolean), ...checkedOf(before)];
  if (criteria.length > 0) values.acceptance_criteria = criteria;
  return { values, errors };
}

/** What an offer or a template writes into the fields. */
export function orderFormToDraft(offer: Record<string, unknown>): Draft {
  const entries = ALL.flatMap((name): [string, string][] => {
    const value = offer[name];
    if (value === undefined || value === null) return [];
    if (name === "acceptance_criteria") return [[name, textLines(value as Offer["acceptance_criteria"])]];
    const isJson = (JSON_FIELDS as readonly string[]).includes(name);
    return [[name, isJson ? pretty(value) : String(value)]];
  });
  return Object.fromEntries(entries);
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const textLines = (criteria: Offer["acceptance_criteria"]) =>
  criteria.filter((each) => typeof each === "string").join("\n");
const checkedOf = (offer: Offer | undefined) =>
  offer?.acceptance_criteria.filter((each) => typeof each !== "string") ?? [];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What an order takes, gives and agrees. A schema is drafted from the example, to be corrected.
 * @param errors by the path of a field, which may lead into an example
 */
export function OrderFields({
  offer,
  form,
  errors,
}: {
  offer: Offer | undefined;
  form: RefObject<HTMLFormElement | null>;
  errors: Record<string, string>;
}) {
  const [status, setStatus] = useState("");
  const preset = offer ? orderFormToDraft(offer) : {};
  const initial = (name: string) => {
    const value = preset[name];
    return typeof value === "string" ? { defaultValue: value } : {};
  };
  const errorOf = (name: string) => {
    const [path, message] = Object.entries(errors).find(([each]) => each === name || each.startsWith(`${name}.`)) ?? [];
    return path && message ? { error: path === name ? message : `${path.slice(name.length + 1)}: ${message}` } : {};
  };
  const isOpen = Object.keys(preset).length > 0 || ALL.some((name) => errorOf(name).error);
  const checked = checkedOf(offer).length;

  function draft(side: "input" | "result") {
    const box = form.current;
    const example = parse(textOf(new FormData(box ?? undefined), `example_${side}`));
    if (!box || example === undefined) return setStatus("Enter the example as JSON first.");
    fillForm(box, { [`${side}_schema`]: pretty(schemaFromExample(example)) });
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
        {SIDES.map(({ side, title, hint }) => (
          <fieldset key={side} className="space-y-3">
            <legend className="font-semibold">{title}</legend>
            <TextField
              name={`example_${side}`}
              label={side === "input" ? "Example input" : "Example result"}
              rows={4}
              hint={hint}
              {...initial(`example_${side}`)}
              {...errorOf(`example_${side}`)}
            />
            <button type="button" className="button" onClick={() => draft(side)}>
              Draft the schema<span className="sr-only"> of the {side} from the example</span>
            </button>
            <TextField
              name={`${side}_schema`}
              label={side === "input" ? "Input schema" : "Result schema"}
              rows={6}
              hint="JSON Schema 2020-12."
              {...initial(`${side}_schema`)}
              {...errorOf(`${side}_schema`)}
            />
          </fieldset>
        ))}
        <p role="status" className="text-13 text-muted empty:hidden">
          {status}
        </p>
        {NUMBERS.map(({ name, label, hint }) => (
          <Field
            key={name}
            name={name}
            label={label}
            short
            inputMode="numeric"
            hint={hint}
            autoComplete="off"
            {...initial(name)}
            {...errorOf(name)}
          />
        ))}
        <TextField
          name="data_terms"
          label="Data terms"
          rows={2}
          {...initial("data_terms")}
          {...errorOf("data_terms")}
        />
        <TextField
          name="acceptance_criteria"
          label="Acceptance criteria"
          rows={3}
          hint={`One per line.${checked > 0 ? ` ${checked} that the service checks stay as they are.` : ""}`}
          {...initial("acceptance_criteria")}
          {...errorOf("acceptance_criteria")}
        />
      </div>
    </details>
  );
}

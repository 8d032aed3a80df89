import { useState } from "react";
import type { z } from "zod";
import { Checklist } from "#components/checklist.tsx";
import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Part } from "#components/part.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import type { EligibilityAnswer } from "#lib/identity/schema.ts";
import { NOT_VALID, refuse } from "../../../browser/call.ts";
import { Form } from "../../../browser/form.tsx";
import { readPounds, WRITE_POUNDS } from "../../../browser/pounds.ts";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { read } from "../connection/service-call.ts";
import { HealthLine } from "../overview/health-line.tsx";
import { useMe } from "../overview/me.ts";

type Answer = z.output<typeof EligibilityAnswer>;

/** Whether this service would be matched now for a skill and a budget, and if not, why. */
export function Eligibility() {
  const { body: me } = useMe();
  const [found, setFound] = useState<Answer | null>(null);
  const form = useForm(async (fields) => {
    const budget = readPounds(textOf(fields, "budget"));
    if (budget === undefined) return refuse(NOT_VALID, { budget_pence: WRITE_POUNDS });
    return read<Answer>("agents/eligibility.php", { skill: textOf(fields, "skill"), budget_pence: budget });
  }, setFound);
  return (
    <Part id="eligibility" title="Matching" className="">
      <p className="mt-1 max-w-measure">
        Check whether this service would be matched now for a skill and a budget. <HealthLine />
      </p>
      <Form form={form} className="mt-4 space-y-4">
        <div className="grid max-w-140 grid-cols-2 items-start gap-4">
          <Field
            key={me?.identity.skills[0]}
            name="skill"
            label="Wanted skill"
            required
            defaultValue={me?.identity.skills[0]}
            error={form.errorOf("skill")}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Field
            name="budget"
            label="Budget in pounds"
            required
            inputMode="decimal"
            error={form.errorOf("budget_pence")}
            autoComplete="off"
          />
        </div>
        <SendButton pending={form.pending}>Check matching</SendButton>
      </Form>
      <div role="status" className="mt-6">
        {found ? (
          <>
            <p className="flex items-baseline gap-2 text-17">
              <StateShape
                shape={found.eligible ? "disc" : "cross"}
                className={found.eligible ? "text-accent" : "text-danger"}
              />
              {found.eligible ? "This service matches now." : "This service does not match now."}
            </p>
            <div className="mt-2">
              <Checklist
                checks={found.conditions.map(({ condition, passed, ...words }) => ({
                  ...{ key: condition, done: passed },
                  ...words,
                }))}
                words={{ done: "Passed", open: "Not passed" }}
              />
            </div>
          </>
        ) : null}
      </div>
    </Part>
  );
}

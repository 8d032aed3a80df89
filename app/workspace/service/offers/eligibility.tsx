import { useState } from "react";
import type { z } from "zod";
import { Checklist } from "#components/checklist.tsx";
import { Part } from "#components/part.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import type { EligibilityAnswer } from "#lib/identity/schema.ts";
import { DescribedForm } from "../../../browser/described-form.tsx";
import { FormFields } from "../../../browser/form-fields.tsx";
import { type FieldSpec, readFields } from "../../../browser/read-fields.ts";
import { read } from "../connection/service-call.ts";
import { HealthLine } from "../overview/health-line.tsx";
import { useMe } from "../overview/me.ts";

type Answer = z.output<typeof EligibilityAnswer>;

/** Whether this service would be matched now for a skill and a budget, and if not, why. */
export function Eligibility() {
  const { body: me } = useMe();
  const [found, setFound] = useState<Answer | null>(null);
  const [skill] = me?.identity.skills ?? [];
  const fields: FieldSpec[] = [
    { name: "skill", label: "Wanted skill", value: skill, code: true, required: true },
    { name: "budget", wire: "budget_pence", label: "Budget in pounds", as: "pounds", required: true },
  ];
  return (
    <Part id="eligibility" title="Matching" className="">
      <p className="mt-1 max-w-measure">
        Check whether this service would be matched now for a skill and a budget. <HealthLine />
      </p>
      <DescribedForm<Answer>
        key={skill}
        className="mt-4 space-y-4"
        parts={[
          (form) => (
            <div className="grid max-w-140 grid-cols-2 items-start gap-4">
              <FormFields form={form} parts={fields} />
            </div>
          ),
        ]}
        more={(typed) => readFields(fields, typed)}
        action="Check matching"
        send={(query) => read("agents/eligibility.php", { ...query })}
        done={setFound}
      />
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
                  key: condition,
                  done: passed,
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

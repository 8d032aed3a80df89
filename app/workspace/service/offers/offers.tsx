import { useState } from "react";
import type { z } from "zod";
import { Checklist } from "#components/checklist.tsx";
import { Field } from "#components/form/field.tsx";
import type { Refusal } from "#components/form/refusal.tsx";
import { Part } from "#components/part.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import type { EligibilityAnswer, SkillsAnswer } from "#lib/identity/schema.ts";
import { DescribedForm } from "../../../browser/described-form.tsx";
import { FormFields } from "../../../browser/form-fields.tsx";
import { type FieldSpec, readFields } from "../../../browser/read-fields.ts";
import { textOf } from "../../../browser/use-form.ts";
import { read } from "../connection/service-call.ts";
import { refreshAll } from "../connection/use-resource.ts";
import { StepForm } from "../frame/step-form.tsx";
import { HealthLine } from "../overview/health-line.tsx";
import { useMe } from "../overview/me.ts";
import { OwnOffers } from "./own-offers.tsx";

/** The service's skills and offers, and whether they are matched. */
export function Offers() {
  return (
    <div className="space-y-12">
      <SkillsForm />
      <OwnOffers />
      <Eligibility />
    </div>
  );
}

type Answer = z.output<typeof SkillsAnswer>;

/** The list of skills, edited as one line. */
function SkillsForm() {
  const me = useMe();
  return (
    <Part id="skills" title="Skills" className="">
      <p className="mt-1 max-w-measure">
        What the service can do. Each offer is for one skill, and a task that names a skill can only be claimed by a
        service that has it.
      </p>
      {me.body ? <Line skills={me.body.identity.skills} /> : <p className="mt-4 text-muted">Loading…</p>}
    </Part>
  );
}

function Line({ skills }: { skills: readonly string[] }) {
  const me = useMe();
  return (
    <StepForm<Answer>
      className="mt-4 max-w-140 space-y-4"
      path="agents/skills.php"
      parts={[
        ({ refusal }) => (
          <Field
            name="skills"
            label="Skills"
            hint="Up to 20, separated by commas, each of a–z, 0–9 and hyphens. This replaces the whole list."
            defaultValue={skills.join(", ")}
            error={mistakeIn(refusal)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        ),
      ]}
      more={(fields) => {
        const named = textOf(fields, "skills")
          .toLowerCase()
          .split(/[\s,;]+/);
        return { values: { skills: [...new Set(named.filter(Boolean))] }, errors: {} };
      }}
      draft="skills"
      action="Save skills"
      clears={false}
      said={({ disabled_offers: disabled }) =>
        disabled.length > 0 ? `Saved. ${disabledWords(disabled.length)}` : "Saved."
      }
      done={({ identity }) => {
        me.update((known) => known && { ...known, identity });
        me.refresh();
        refreshAll("offers:");
      }}
    />
  );
}

const disabledWords = (count: number) =>
  `${count === 1 ? "One offer was" : `${count} offers were`} disabled, because its skill was removed.`;

/** The service counts the skills of the list: `skills.1` is the second. */
function mistakeIn(refusal: Refusal | null): string | undefined {
  const [path, message] = Object.entries(refusal?.fieldErrors ?? {}).find(([each]) => each.startsWith("skills")) ?? [];
  return path && path.replace(/^skills\.?(\d+)?/, (_, at) => (at ? `Skill ${Number(at) + 1}: ` : "")) + message;
}

type Eligible = z.output<typeof EligibilityAnswer>;

/** Whether this service would be matched now for a skill and a budget, and if not, why. */
function Eligibility() {
  const { body: me } = useMe();
  const [found, setFound] = useState<Eligible | null>(null);
  const [skill] = me?.identity.skills ?? [];
  const fields: FieldSpec[] = [
    { name: "skill", label: "Wanted skill", value: skill, code: true, required: true },
    { name: "budget", wire: "budget_pence", label: "Budget in pounds", as: "pounds", required: true },
  ];
  return (
    <Part
      id="eligibility"
      title="Matching"
      className=""
      beside={
        <span className="text-13 text-muted">
          <HealthLine />
        </span>
      }
    >
      <p className="mt-1 max-w-measure">Check whether this service would be matched now for a skill and a budget.</p>
      <DescribedForm<Eligible>
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

import type { z } from "zod";
import { Field } from "#components/form/field.tsx";
import type { Refusal } from "#components/form/refusal.tsx";
import { Part } from "#components/part.tsx";
import type { SkillsAnswer } from "#lib/identity/schema.ts";
import { textOf } from "../../../browser/use-form.ts";
import { refreshAll } from "../connection/use-resource.ts";
import { StepForm } from "../frame/step-form.tsx";
import { useMe } from "../overview/me.ts";
import { Eligibility } from "./eligibility.tsx";
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

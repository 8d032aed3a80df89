import { useState } from "react";
import type { z } from "zod";
import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Part } from "#components/part.tsx";
import type { SkillsAnswer } from "#lib/identity/schema.ts";
import { Form } from "../../../browser/form.tsx";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { refreshAll } from "../connection/use-resource.ts";
import { useDraft } from "../frame/draft.ts";
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
  const [saved, setSaved] = useState<Answer | null>(null);
  const form = useForm(
    (fields) => {
      setSaved(null);
      const named = textOf(fields, "skills")
        .toLowerCase()
        .split(/[\s,;]+/);
      return write<Answer>("agents/skills.php", { skills: [...new Set(named.filter(Boolean))] });
    },
    (body: Answer) => {
      forget();
      setSaved(body);
      me.update((known) => known && { ...known, identity: body.identity });
      me.refresh();
      refreshAll("offers:");
    },
  );
  const forget = useDraft("skills", form.props.ref);
  const wrong = Object.entries(form.refusal?.fieldErrors ?? {}).find(([path]) => path.startsWith("skills"));
  const disabled = saved?.disabled_offers.length ?? 0;
  return (
    <Form form={form} className="mt-4 max-w-140 space-y-4">
      <Field
        name="skills"
        label="Skills"
        hint="Up to 20, separated by commas, each of a–z, 0–9 and hyphens. This replaces the whole list."
        defaultValue={skills.join(", ")}
        error={
          wrong &&
          `${wrong[0].replace(/^skills\.?(\d+)?/, (_, at) => (at ? `Skill ${Number(at) + 1}: ` : ""))}${wrong[1]}`
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex flex-wrap items-center gap-4">
        <SendButton pending={form.pending}>Save skills</SendButton>
        <p role="status">
          {saved ? "Saved." : ""}
          {disabled > 0
            ? ` ${disabled === 1 ? "One offer was" : `${disabled} offers were`} disabled, because its skill was removed.`
            : ""}
        </p>
      </div>
    </Form>
  );
}

import { type RefObject, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import type { TemplatesAnswer, TemplateWire } from "#lib/tasks/workspace/schema.ts";
import { DescribedForm } from "../../../browser/described-form.tsx";
import { fillForm } from "../../../browser/fill-form.ts";
import type { FormPart } from "../../../browser/form-fields.tsx";
import { readFields, writeFields } from "../../../browser/read-fields.ts";
import { useSend } from "../../../browser/use-form.ts";
import { read, write } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";

type Answer = z.output<typeof TemplatesAnswer>;
type Kind = TemplateWire["kind"];

/** The identity's templates of one kind: to fill the form of a new task or offer with, and to save that form as another. */
export function TemplateBar({
  kind,
  form,
  parts,
}: {
  kind: Kind;
  form: RefObject<HTMLFormElement | null>;
  /** The fields that a template keeps and fills in. */
  parts: readonly FormPart[];
}) {
  const list = useResource<Answer>("templates", () => read<Answer>("agents/templates.php"), { everySeconds: 300 });
  const [status, setStatus] = useState("");
  const { pending, refusal, send } = useSend();
  const mine = list.body?.templates.filter((each) => each.kind === kind) ?? [];
  const shown = (body: Answer, words: string) => {
    list.update(() => body);
    setStatus(words);
  };

  function use({ name, fields }: TemplateWire) {
    if (form.current) fillForm(form.current, writeFields(parts, fields));
    setStatus(`Filled in from “${name}”.`);
  }

  async function remove({ name }: TemplateWire) {
    const outcome = await send(() => write<Answer>("agents/template_remove.php", { kind, name }));
    if (outcome?.ok) shown(outcome.body, `Removed “${name}”.`);
  }

  return (
    <details className="mt-3 max-w-140">
      <summary className="w-fit text-muted hover:text-ink">
        Templates{mine.length > 0 ? ` (${mine.length})` : ""}
      </summary>
      <div className="mt-3 space-y-4 border-rule border-s-2 ps-4">
        {mine.length > 0 ? (
          <ul>
            {mine.map((template) => (
              <li key={template.name} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{template.name}</span>
                <Button onClick={() => use(template)}>
                  Use<span className="sr-only"> {template.name}</span>
                </Button>
                <Button pending={pending} onClick={() => remove(template)}>
                  Remove<span className="sr-only"> {template.name}</span>
                </Button>
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-13 text-muted">No templates yet. Fill in the form below, then save it here.</p>
        )}
        <RefusalNote refusal={refusal} />
        <DescribedForm<{ answer: Answer; name: string }>
          className="space-y-3"
          Refused={NamedRefusal}
          parts={[
            {
              name: "template_name",
              wire: "name",
              label: "Name of the template",
              hint: "Replaces a template with the same name.",
              required: true,
            },
          ]}
          action="Save as template"
          clears
          send={async (typed) => {
            const { name } = typed as { name: string };
            const fields = filledIn(parts, new FormData(form.current ?? undefined));
            const outcome = await write<Answer>("agents/template_save.php", { kind, name, fields });
            return outcome.ok ? { ...outcome, body: { answer: outcome.body, name } } : outcome;
          }}
          done={({ answer, name }) => shown(answer, `Saved “${name}”.`)}
        />
        <p role="status" className="text-13 text-muted">
          {status}
        </p>
      </div>
    </details>
  );
}

/** A template keeps what is filled in and valid. */
function filledIn(parts: readonly FormPart[], form: FormData): Record<string, unknown> {
  const { values } = readFields(parts, form);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** Names the field of the form that a template cannot keep as it is. */
function NamedRefusal({ refusal }: { refusal: Refusal }) {
  const wrong = Object.entries(refusal.fieldErrors).find(([path]) => path !== "name");
  return (
    <RefusalNote refusal={refusal}>{wrong ? `${wrong[0].replace("fields.", "")}: ${wrong[1]}` : null}</RefusalNote>
  );
}

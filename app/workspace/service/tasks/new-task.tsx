import { useState } from "react";
import type { z } from "zod";
import { Choice, Field, TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { TaskAnswer } from "#lib/tasks/schema.ts";
import { NOT_VALID, refuse } from "../../../browser/call.ts";
import type { Draft } from "../../../browser/fill-form.ts";
import { Form } from "../../../browser/form.tsx";
import { readPounds, WRITE_POUNDS, writePounds } from "../../../browser/pounds.ts";
import { textOf, useForm, useRequestId } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { refreshAll } from "../connection/use-resource.ts";
import { useDraft } from "../frame/draft.ts";
import { goTo, taskPath } from "../frame/view-link.tsx";
import { useMe } from "../overview/me.ts";
import { readTerms, TermsFields } from "../task/terms-fields.tsx";
import { TemplateBar } from "../templates/template-bar.tsx";
import { useOrder } from "./order.tsx";
import { ModeChoice, Split } from "./payment-fields.tsx";
import { ProviderChoice } from "./provider-choice.tsx";

type Answer = z.output<typeof TaskAnswer>;
type Mode = "TEST" | "LIVE";

const DAY_SECONDS = 86_400;
const LIFETIMES = [1, 3, 7, 14, 30].map((days) => ({
  value: String(days * DAY_SECONDS),
  label: days === 1 ? "1 day" : `${days} days`,
}));

/** What a template or an offer writes into the form. */
function taskToForm(fields: Record<string, unknown>): Draft {
  const { budget_pence: budget, payment_mode: mode, expires_in_seconds: lifetime, ...texts } = fields;
  const filled = Object.entries(texts).filter(([, value]) => typeof value === "string") as [string, string][];
  return {
    ...Object.fromEntries(filled),
    ...(typeof budget === "number" ? { budget: writePounds(budget) } : {}),
    ...(typeof mode === "string" ? { payment_mode: mode, [`payment_mode=${mode}`]: true } : {}),
    ...(typeof lifetime === "number" ? { expires_in_seconds: String(lifetime) } : {}),
  };
}

/** What a template keeps of the form: everything that is filled in. */
function taskOfForm(form: FormData): Record<string, unknown> {
  const budget = readPounds(textOf(form, "budget"));
  const names = ["brief", "title", "skill", "provider_public_id", "visibility", "payment_mode", "open_to"];
  const texts = names.map((name) => [name, textOf(form, name).trim()]).filter(([, value]) => value);
  return {
    ...Object.fromEntries(texts),
    ...(budget === undefined ? {} : { budget_pence: budget }),
    expires_in_seconds: Number(textOf(form, "expires_in_seconds")),
  };
}

/** The form to post a task. */
export function NewTask() {
  const { body: me } = useMe();
  const requestId = useRequestId();
  const [typed, setTyped] = useState<{ skill: string; budget: string; mode: Mode }>({
    skill: "",
    budget: "",
    mode: "TEST",
  });
  const form = useForm(
    async (fields) => {
      const budget = readPounds(textOf(fields, "budget"));
      if (budget === undefined) return refuse(NOT_VALID, { budget_pence: WRITE_POUNDS });
      const { terms, accept } = readTerms(fields);
      const optional = ["title", "skill", "provider_public_id", "open_to"].map((name) => [
        name,
        textOf(fields, name).trim(),
      ]);
      const request = {
        brief: textOf(fields, "brief"),
        budget_pence: budget,
        visibility: textOf(fields, "visibility"),
        payment_mode: textOf(fields, "payment_mode") || "TEST",
        expires_in_seconds: Number(textOf(fields, "expires_in_seconds")),
        ...Object.fromEntries(optional.filter(([, value]) => value)),
        ...(terms ? { terms: { ...terms, amount_pence: budget }, accept } : {}),
      };
      return write<Answer>("jobs/create.php", { ...request, client_request_id: requestId(JSON.stringify(request)) });
    },
    ({ task }: Answer) => {
      forget();
      refreshAll("tasks:");
      goTo(taskPath(task.task_id));
    },
  );
  const forget = useDraft("task", form.props.ref);

  function follow(event: React.FormEvent<HTMLFormElement>) {
    const fields = new FormData(event.currentTarget);
    const mode = textOf(fields, "payment_mode") === "LIVE" ? "LIVE" : "TEST";
    setTyped({ skill: textOf(fields, "skill").trim(), budget: textOf(fields, "budget"), mode });
  }

  const order = useOrder(form.props.ref);
  return (
    <section aria-labelledby="new-task">
      <h2 id="new-task" className="font-semibold text-21">
        New task
      </h2>
      {order}
      <TemplateBar kind="task" form={form.props.ref} toForm={taskToForm} toFields={taskOfForm} />
      <Form form={form} onInput={follow} className="mt-4 max-w-140 space-y-6">
        <TextField
          name="brief"
          label="Brief"
          rows={6}
          hint="What should be done, at most 20,000 characters. Do not include personal data or keys."
          error={form.errorOf("brief")}
          required
        />
        <Field
          name="title"
          label="Title"
          hint="Optional. By default, the first line of the brief."
          error={form.errorOf("title")}
          autoComplete="off"
        />
        <ModeChoice error={form.errorOf("payment_mode")} />
        <div>
          <Field
            name="budget"
            label="Budget in pounds"
            short
            hint="The most that you would pay. Enter 0 for a free task."
            inputMode="decimal"
            error={form.errorOf("budget_pence")}
            required
            autoComplete="off"
          />
          <Split pounds={typed.budget} mode={typed.mode} />
        </div>
        <Choice
          name="visibility"
          label="Visibility"
          options={[
            { value: "listed", label: "Listed: everyone can find it" },
            { value: "unlisted", label: "Unlisted: only for those who know its ID" },
          ]}
          hint="Everyone can see a listed task’s title, budget, path and the beginning of its brief."
          error={form.errorOf("visibility")}
        />
        <Choice
          name="expires_in_seconds"
          label="Open for"
          defaultValue={String(7 * DAY_SECONDS)}
          options={LIFETIMES}
          error={form.errorOf("expires_in_seconds")}
        />
        <Field
          name="skill"
          label="Skill"
          hint="Optional. Only a provider with this skill can claim the task."
          error={form.errorOf("skill")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Choice
          name="open_to"
          label="Open to"
          options={[
            { value: "", label: "Claims: the first provider to claim it gets it" },
            { value: "quotes", label: "Quotes: you compare quotes and choose one" },
          ]}
          hint="Quotes are possible for a listed task without a selected provider."
          error={form.errorOf("open_to")}
        />
        <details className="border-rule border-s ps-4">
          <summary className="font-semibold">Prepare the terms</summary>
          <p className="mt-2 mb-4 max-w-measure text-13 text-muted">
            Optional. A claim then proposes the agreement at once with these terms, for the whole budget or the amount
            of the quote that you choose.
          </p>
          <div className="space-y-5">
            <TermsFields errorOf={form.errorOf} />
          </div>
        </details>
        <ProviderChoice
          skill={typed.skill}
          budgetPence={readPounds(typed.budget)}
          own={me?.identity.public_id ?? ""}
          error={form.errorOf("provider_public_id")}
        />
        <SendButton primary pending={form.pending}>
          Post task
        </SendButton>
      </Form>
    </section>
  );
}

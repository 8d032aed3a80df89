import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { AgentLabel } from "#components/agent-name.tsx";
import { Button } from "#components/button.tsx";
import { Field } from "#components/form/field.tsx";
import { optionsOf } from "#components/form/options.ts";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import type { MatchAnswer } from "#lib/identity/schema.ts";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import type { TaskAnswer } from "#lib/tasks/schema.ts";
import { FormFields, type FormPart } from "../../../browser/form-fields.tsx";
import { readPounds } from "../../../browser/pounds.ts";
import { type FieldSpec, readFields } from "../../../browser/read-fields.ts";
import { textOf } from "../../../browser/use-form.ts";
import { readPublic } from "../connection/service-call.ts";
import { refreshAll, useResource } from "../connection/use-resource.ts";
import { StepForm } from "../frame/step-form.tsx";
import { goTo, taskPath } from "../frame/view-link.tsx";
import { countdown, useNow } from "../overview/health-line.tsx";
import { useMe } from "../overview/me.ts";
import { TERMS, withTerms } from "../task/terms-fields.ts";
import { TemplateBar } from "../templates/template-bar.tsx";
import { Checkout, useOrdered } from "./checkout.tsx";
import { SAYS_SOMETHING } from "./order-input.ts";
import { ModeChoice, Split } from "./payment-fields.tsx";

type Answer = z.output<typeof TaskAnswer>;
type Mode = "TEST" | "LIVE";

const DAY_SECONDS = 86_400;
const LIFETIMES = [1, 3, 7, 14, 30].map((days) => ({
  value: String(days * DAY_SECONDS),
  label: days === 1 ? "1 day" : `${days} days`,
}));

const VISIBILITIES = optionsOf({
  listed: "Listed: everyone can find it",
  unlisted: "Unlisted: only for those who know its ID",
});
const OPEN_TO = optionsOf({
  "": "Claims: the first provider to claim it gets it",
  quotes: "Quotes: you compare quotes and choose one",
});

/** What is chosen in parts of their own, as a template keeps it. */
const CHOICES: readonly FieldSpec[] = [
  { name: "payment_mode", label: "Mode" },
  { name: "provider_public_id", label: "Selected provider" },
];

/** The form to post a task, or to order the offer that the address names. */
export function NewTask() {
  const offerId = useOrdered();
  return offerId ? <Checkout offerId={offerId} /> : <PostTask />;
}

function PostTask() {
  const { body: me } = useMe();
  const [typed, setTyped] = useState<{ skill: string; budget: string; mode: Mode }>({
    skill: "",
    budget: "",
    mode: "TEST",
  });
  const parts: FormPart[] = [
    {
      name: "brief",
      label: "Brief",
      rows: 6,
      required: true,
      pattern: SAYS_SOMETHING,
      hint: "What should be done, at most 20,000 characters. Do not include personal data or keys.",
    },
    { name: "title", label: "Title", hint: "By default, the first line of the brief." },
    ({ errorOf }) => <ModeChoice error={errorOf("payment_mode")} />,
    {
      name: "budget",
      wire: "budget_pence",
      label: "Budget in pounds",
      as: "pounds",
      required: true,
      hint: "The most that you would pay. Enter 0 for a free task.",
    },
    () => <Split pounds={typed.budget} mode={typed.mode} />,
    {
      name: "visibility",
      label: "Visibility",
      options: VISIBILITIES,
      hint: "Everyone can see a listed task’s title, budget, path and the beginning of its brief.",
    },
    {
      name: "expires_in_seconds",
      label: "Open for",
      options: LIFETIMES,
      value: String(7 * DAY_SECONDS),
      range: [1, 30 * DAY_SECONDS],
    },
    { name: "skill", label: "Skill", code: true, hint: "Only a provider with this skill can claim the task." },
    {
      name: "open_to",
      label: "Open to",
      options: OPEN_TO,
      hint: "Quotes are possible for a listed task without a selected provider.",
    },
    (form) => (
      <details className="border-rule border-s ps-4">
        <summary className="font-semibold">Prepare the terms</summary>
        <p className="mt-2 mb-4 max-w-measure text-13 text-muted">
          A claim then proposes the agreement at once with these terms, for the whole budget or the amount of the quote
          that you choose.
        </p>
        <div className="space-y-5">
          <FormFields form={form} parts={TERMS} />
        </div>
      </details>
    ),
    ({ errorOf }) => (
      <ProviderChoice
        skill={typed.skill}
        budgetPence={readPounds(typed.budget)}
        own={me?.identity.public_id ?? ""}
        error={errorOf("provider_public_id")}
      />
    ),
  ];

  function follow(event: React.FormEvent<HTMLFormElement>) {
    const fields = new FormData(event.currentTarget);
    const mode = textOf(fields, "payment_mode") === "LIVE" ? "LIVE" : "TEST";
    setTyped({ skill: textOf(fields, "skill").trim(), budget: textOf(fields, "budget"), mode });
  }

  return (
    <Part id="new-task" title="New task" className="">
      <StepForm<Answer>
        path="jobs/create.php"
        about={{}}
        parts={parts}
        more={readUndescribed}
        again=""
        draft="task"
        action="Post task"
        primary
        className="mt-4 max-w-140 space-y-6"
        onInput={follow}
        above={(form) => <TemplateBar kind="task" form={form} parts={[...parts, ...CHOICES]} />}
        done={({ task }) => {
          refreshAll("tasks:");
          goTo(taskPath(task.task_id));
        }}
      />
    </Part>
  );
}

/** What the parts hold that are no described fields: the mode, the provider and prepared terms. */
function readUndescribed(fields: FormData) {
  const provider = textOf(fields, "provider_public_id").trim();
  const { values, errors } = readFields(TERMS, fields);
  const budget = readPounds(textOf(fields, "budget"));
  return {
    errors,
    values: {
      payment_mode: textOf(fields, "payment_mode") || "TEST",
      ...(provider ? { provider_public_id: provider } : {}),
      ...withTerms(values, { amount_pence: budget }),
    },
  };
}

type Matches = z.output<typeof MatchAnswer>;

const TYPING_MILLISECONDS = 500;
const SKILL = /^[a-z0-9-]{1,50}$/;

/** Selects a task's provider: everyone, one of those that match now, or one by its ID. */
function ProviderChoice({
  skill,
  budgetPence,
  own,
  error,
}: {
  skill: string;
  budgetPence: number | undefined;
  own: string;
  error?: string;
}) {
  const wanted = useDebounced(skill, TYPING_MILLISECONDS);
  const fields = useRef<HTMLFieldSetElement>(null);
  function choose(publicId: string) {
    const field = fields.current?.querySelector<HTMLInputElement>("input[name='provider_public_id']");
    if (!field) return;
    field.value = publicId;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  }
  return (
    <fieldset ref={fields}>
      <legend className="mb-1 font-semibold">Provider</legend>
      <p className="max-w-measure text-13 text-muted">
        If you select a provider, only that provider can claim the task, and finds it in its inbox. Otherwise any
        verified provider can claim it.
      </p>
      {SKILL.test(wanted) ? (
        <MatchList skill={wanted} budgetPence={budgetPence ?? MAX_PENCE} own={own} choose={choose} />
      ) : null}
      <div className="mt-3">
        <Field
          name="provider_public_id"
          label="Selected provider"
          isOptional
          hint="A public ID."
          error={error}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
    </fieldset>
  );
}

function MatchList({
  skill,
  budgetPence,
  own,
  choose,
}: {
  skill: string;
  budgetPence: number;
  own: string;
  choose: (publicId: string) => void;
}) {
  const query = { skill, budget_pence: budgetPence, limit: 10 };
  const found = useResource<Matches>(`match:${skill}:${budgetPence}`, () => readPublic("agents/match.php", query), {
    everySeconds: 60,
  });
  const now = useNow();
  const matches = found.body?.matches.filter(({ agent }) => agent.public_id !== own);
  const age = found.freshAt === null ? 0 : Math.floor((now - found.freshAt) / 1000);
  if (!matches) return <p className="mt-2 text-13 text-muted">Looking for providers…</p>;
  if (matches.length === 0) {
    return (
      <p className="mt-2 max-w-measure text-13">
        No provider of {skill} is available within this budget now. You can still post the task and wait for one.
      </p>
    );
  }
  return (
    <ul aria-label="Available providers" className="mt-2 border-rule border-t">
      {matches.map(({ agent, price_pence, fresh_for_seconds: fresh }) => (
        <li key={agent.public_id} className="flex flex-wrap items-center gap-x-4 border-rule border-b py-1.5">
          <span className="min-w-0 flex-1">
            <AgentLabel publicId={agent.public_id} name={agent.name} />{" "}
            <span className="text-13 text-muted">
              {agent.domain} · available for {countdown(Math.max(0, fresh - age))}
            </span>
          </span>
          <Money pence={price_pence} zero="Free" />
          <Button onClick={() => choose(agent.public_id)} look="link">
            Select<span className="sr-only"> {agent.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The value once it has not changed for this long. */
function useDebounced(value: string, milliseconds: number): string {
  const [stable, setStable] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStable(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return stable;
}

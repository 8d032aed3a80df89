"use client";

import { useState } from "react";
import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { Scope } from "#lib/kernel/scopes.ts";
import { ACCESS_DAYS, readAccess, ScopeChoice } from "../../browser/access-choices.tsx";
import { DescribedForm } from "../../browser/described-form.tsx";
import { Form } from "../../browser/form.tsx";
import type { FormPart } from "../../browser/form-fields.tsx";
import { textOf, useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";

type Agent = { id: string; name: string };
type Answer = { redirect_to: string };

const SPENDING: readonly Scope[] = ["order", "pay"];

const goTo = ({ redirect_to }: Answer) => window.location.assign(redirect_to);

/** What the owner allows a program: one agent, what it may do there, up to which amount and for how long. */
export function ConsentForm({
  id,
  agents,
  scopes,
  name,
}: {
  id: string;
  agents: Agent[];
  scopes: Scope[];
  name: string;
}) {
  const [spends, setSpends] = useState(false);
  const refusal = useForm<Answer>(
    () => callAsOwner<Answer>("/api/v1/owners/connect.php", { request: id, decision: "refuse" }),
    goTo,
  );
  const maySpend = scopes.some((scope) => SPENDING.includes(scope));
  const parts: FormPart[] = [
    ({ errorOf }) => <AgentChoice agents={agents} error={errorOf("public_id")} />,
    ({ errorOf }) => <ScopeChoice scopes={scopes} error={errorOf("scopes")} />,
    ({ errorOf }) => (maySpend ? <AmountField spends={spends} error={errorOf("max_price_pence")} /> : null),
    { name: "expires_in_days", label: "For how long?", options: ACCESS_DAYS, value: "30", range: [1, 365] },
  ];
  return (
    <>
      <DescribedForm<Answer>
        className="mt-8 max-w-140 space-y-8"
        about={{ request: id, decision: "allow" }}
        parts={parts}
        more={(fields) => readConsent(fields, scopes)}
        action="Allow"
        primary
        onInput={(event) => {
          const { elements } = event.currentTarget;
          setSpends(SPENDING.some((scope) => (elements.namedItem(scope) as HTMLInputElement | null)?.checked));
        }}
        send={(request) => callAsOwner<Answer>("/api/v1/owners/connect.php", request)}
        done={goTo}
      />
      <Form form={refusal} className="mt-4" label={`Refuse ${name}`}>
        <SendButton pending={refusal.pending}>Refuse</SendButton>
      </Form>
      <p className="mt-6 max-w-measure text-13 text-muted">
        You can end this at any time in your account, under “Connected programs”.
      </p>
    </>
  );
}

/** Not `required`, so that a missing amount and a missing agent are reported in one attempt. */
function AmountField({ spends, error }: { spends: boolean; error: string | undefined }) {
  return (
    <Field
      name="max_price_pence"
      label="Largest amount at a time, in pounds"
      hint={
        spends
          ? "No single budget, agreement or payment may be larger."
          : "Needed only if it may order or pay. No single budget, agreement or payment may be larger."
      }
      short
      inputMode="decimal"
      autoComplete="off"
      error={error}
    />
  );
}

function readConsent(fields: FormData, scopes: readonly Scope[]) {
  const { chosen, pence, errors } = readAccess(fields, scopes);
  const publicId = textOf(fields, "public_id");
  if (!publicId) errors.public_id = "Choose an agent.";
  if (pence === null && chosen.some((scope) => SPENDING.includes(scope)))
    errors.max_price_pence = "Enter the largest amount that it may spend at a time.";
  const amount = pence === null ? {} : { max_price_pence: pence };
  return { values: { public_id: publicId, scopes: chosen, ...amount }, errors };
}

function AgentChoice({ agents, error }: { agents: readonly Agent[]; error: string | undefined }) {
  return (
    <fieldset aria-describedby={error ? "agent-error" : undefined}>
      <legend className="mb-2 font-semibold">Which agent may it act as?</legend>
      {agents.map((agent, at) => (
        <label key={agent.id} className="flex min-h-11 items-center gap-3 text-17">
          <input
            type="radio"
            name="public_id"
            value={agent.id}
            defaultChecked={agents.length === 1}
            aria-invalid={at === 0 && error ? true : undefined}
            className="size-5 shrink-0 accent-accent"
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">{agent.name}</span>
        </label>
      ))}
      {error ? (
        <p id="agent-error" className="mt-1 text-13 text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

"use client";

import { useState } from "react";
import { Choice, Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { Scope } from "#lib/kernel/scopes.ts";
import { ACCESS_DAYS, readAccess, ScopeChoice } from "../../browser/access-choices.tsx";
import { NOT_VALID, refuse } from "../../browser/call.ts";
import { Form } from "../../browser/form.tsx";
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
  const form = useForm<Answer>(async (fields) => {
    const { chosen, pence, errors } = readAccess(fields, scopes);
    if (!fields.get("public_id")) errors.public_id = "Choose an agent.";
    if (pence === null && chosen.some((scope) => SPENDING.includes(scope)))
      errors.max_price_pence = "Enter the largest amount that it may spend at a time.";
    if (Object.keys(errors).length > 0) return refuse(NOT_VALID, errors);
    return callAsOwner<Answer>("/api/v1/owners/connect.php", {
      ...{ request: id, decision: "allow", public_id: textOf(fields, "public_id"), scopes: chosen },
      ...(pence === null ? {} : { max_price_pence: pence }),
      expires_in_days: Number(textOf(fields, "expires_in_days")),
    });
  }, goTo);
  const refusal = useForm<Answer>(
    () => callAsOwner<Answer>("/api/v1/owners/connect.php", { request: id, decision: "refuse" }),
    goTo,
  );
  return (
    <>
      <Form
        form={form}
        className="mt-8 max-w-140 space-y-8"
        onInput={(event) => {
          const { elements } = event.currentTarget;
          setSpends(SPENDING.some((scope) => (elements.namedItem(scope) as HTMLInputElement | null)?.checked));
        }}
      >
        <fieldset aria-describedby={form.errorOf("public_id") ? "agent-error" : undefined}>
          <legend className="mb-2 font-semibold">Which agent may it act as?</legend>
          {agents.map((agent, at) => (
            <label key={agent.id} className="flex min-h-11 items-center gap-3 text-17">
              <input
                type="radio"
                name="public_id"
                value={agent.id}
                defaultChecked={agents.length === 1}
                aria-invalid={at === 0 && form.errorOf("public_id") ? true : undefined}
                className="size-5 shrink-0 accent-accent"
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">{agent.name}</span>
            </label>
          ))}
          {form.errorOf("public_id") ? (
            <p id="agent-error" className="mt-1 text-13 text-danger">
              {form.errorOf("public_id")}
            </p>
          ) : null}
        </fieldset>
        <ScopeChoice scopes={scopes} error={form.errorOf("scopes")} />
        {scopes.some((scope) => SPENDING.includes(scope)) ? (
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
            error={form.errorOf("max_price_pence")}
          />
        ) : null}
        <Choice name="expires_in_days" label="For how long?" defaultValue="30" options={ACCESS_DAYS} />
        <SendButton primary pending={form.pending}>
          Allow
        </SendButton>
      </Form>
      <Form form={refusal} className="mt-4" label={`Refuse ${name}`}>
        <SendButton pending={refusal.pending}>Refuse</SendButton>
      </Form>
      <p className="mt-6 max-w-measure text-13 text-muted">
        You can end this at any time in your account, under “Connected programs”.
      </p>
    </>
  );
}

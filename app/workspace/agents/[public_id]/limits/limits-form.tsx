"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Field, TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Part } from "#components/part.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { LimitsWire } from "#lib/owners/limits/schema.ts";
import { NOT_VALID, refuse } from "../../../../browser/call.ts";
import { Form } from "../../../../browser/form.tsx";
import { readPounds, WRITE_POUNDS, writePounds } from "../../../../browser/pounds.ts";
import { textOf, useForm } from "../../../../browser/use-form.ts";
import { callAsOwner } from "../../../../step-up/call-as-owner.ts";

const AMOUNTS = [
  { name: "per_task_pence", label: "Maximum per task, in pounds", hint: "Leave empty for no limit." },
  {
    name: "per_day_pence",
    label: "Maximum per day, in pounds",
    hint: "From midnight to midnight UTC. An amount counts from the moment the agent accepts the agreement. Leave empty for no limit.",
  },
  {
    name: "ask_above_pence",
    label: "Ask me about amounts above, in pounds",
    hint: "A larger amount waits in your inbox until you approve it. Leave empty to never be asked.",
  },
] as const;

const LISTS = [
  {
    name: "allowed",
    label: "Only these counterparties",
    hint: "Public IDs or hosts, one per line. Leave empty to allow everyone.",
  },
  { name: "blocked", label: "Blocked counterparties", hint: "Public IDs or hosts, one per line." },
] as const;

const linesOf = (text: string) =>
  text
    .split(/\s+/)
    .map((line) => line.trim().replace(/^https?:\/\//, ""))
    .filter(Boolean)
    .map((line) => (line.startsWith("agt_") ? line : line.toLowerCase()));

/** The owner limits of an agent's service identity. */
export function LimitsForm({ name, limits }: { name: string; limits: LimitsWire["limits"] }) {
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const form = useForm(
    async (fields) => {
      setSaved(false);
      const errors: Record<string, string> = {};
      const amounts = AMOUNTS.map(({ name: field }) => {
        const typed = textOf(fields, field).trim();
        const pence = typed ? readPounds(typed) : null;
        if (pence === undefined) errors[field] = WRITE_POUNDS;
        return [field, pence ?? null];
      });
      if (Object.keys(errors).length > 0) return refuse(NOT_VALID, errors);
      return callAsOwner<LimitsWire>("/api/v1/owners/limits.php", {
        public_id: limits.public_id,
        ...Object.fromEntries(amounts),
        ...Object.fromEntries(LISTS.map(({ name: field }) => [field, linesOf(textOf(fields, field))])),
      });
    },
    () => {
      setSaved(true);
      router.refresh();
    },
  );
  const errorOf = (field: string) =>
    Object.entries(form.refusal?.fieldErrors ?? {}).find(([path]) => path.split(".")[0] === field)?.[1];
  return (
    <Part id="limits" title="Owner limits" className="mt-12">
      <p className="max-w-measure">
        They apply to everything {name} agrees to, through the API or in the workspace, your own acts included. Amounts
        limit what it pays, not what it earns. Agreed to pay today: {formatPence(limits.spent_today_pence)}.
      </p>
      <Form form={form} className="mt-4 max-w-140 space-y-5">
        {AMOUNTS.map(({ name: field, ...words }) => (
          <Field
            key={field}
            {...words}
            isOptional
            short
            name={field}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={limits[field] === null ? "" : writePounds(limits[field])}
            error={errorOf(field)}
          />
        ))}
        {LISTS.map(({ name: field, ...words }) => (
          <TextField
            key={field}
            {...words}
            isOptional
            name={field}
            rows={3}
            defaultValue={limits[field].join("\n")}
            error={errorOf(field)}
          />
        ))}
        <SendButton primary pending={form.pending}>
          Save limits
        </SendButton>
        <p role="status" className="text-13 text-muted">
          {saved ? "Saved. The limits apply from now on." : ""}
        </p>
      </Form>
    </Part>
  );
}

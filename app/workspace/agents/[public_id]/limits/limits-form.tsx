"use client";

import { Part } from "#components/part.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { LimitsWire } from "#lib/owners/limits/schema.ts";
import { writePounds } from "../../../../browser/pounds.ts";
import type { FieldSpec } from "../../../../browser/read-fields.ts";
import { OwnerForm } from "../../../owner-form.tsx";

type Limits = LimitsWire["limits"];

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

function fieldsOf(limits: Limits): FieldSpec[] {
  const amounts = AMOUNTS.map((field): FieldSpec => {
    const pence = limits[field.name];
    return { ...field, as: "pounds", empty: null, value: pence === null ? "" : writePounds(pence) };
  });
  const lists = LISTS.map((field): FieldSpec => {
    return { ...field, as: "list", empty: [], rows: 3, value: limits[field.name].join("\n") };
  });
  return [...amounts, ...lists];
}

/** Hosts as the service writes them, from addresses as people copy them. */
function namesIn(list: unknown): string[] {
  const names = (list as string[]).map((name) => name.replace(/^https?:\/\//, "")).filter(Boolean);
  return names.map((name) => (name.startsWith("agt_") ? name : name.toLowerCase()));
}

/** The owner limits of an agent's service identity. */
export function LimitsForm({ name, limits }: { name: string; limits: Limits }) {
  return (
    <Part id="limits" title="Owner limits" className="mt-12">
      <p className="mb-4 max-w-measure">
        They apply to everything {name} agrees to, through the API or in the workspace, your own acts included. Amounts
        limit what it pays, not what it earns. Agreed to pay today: {formatPence(limits.spent_today_pence)}.
      </p>
      <OwnerForm<LimitsWire>
        path="/api/v1/owners/limits.php"
        about={{ public_id: limits.public_id }}
        parts={fieldsOf(limits)}
        more={(_fields, { allowed, blocked }) => ({
          values: { allowed: namesIn(allowed), blocked: namesIn(blocked) },
          errors: {},
        })}
        action="Save limits"
        primary
        said="Saved. The limits apply from now on."
      />
    </Part>
  );
}

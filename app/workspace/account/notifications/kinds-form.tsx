"use client";

import { useState } from "react";
import { Checkbox } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Form } from "../../../browser/form.tsx";
import { useForm } from "../../../browser/use-form.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../../owner-refusal.tsx";

type Option = { kind: string; label: string; chosen: boolean };

/** Chooses which events the owner is notified of. */
export function KindsForm({ options }: { options: Option[] }) {
  const [done, setDone] = useState("");
  const form = useForm(
    (fields) => {
      setDone("");
      const kinds = options.map(({ kind }) => kind).filter((kind) => fields.has(kind));
      return callAsOwner("/api/v1/owners/notification_kinds.php", { kinds });
    },
    () => setDone("Saved."),
  );
  return (
    <Form form={form} Refused={OwnerRefusal} label="Kinds of notifications" className="max-w-140 space-y-5">
      <fieldset className="space-y-3">
        <legend className="mb-3 font-semibold">Notify me of</legend>
        {options.map(({ kind, label, chosen }) => (
          <Checkbox key={kind} name={kind} label={label} defaultChecked={chosen} />
        ))}
      </fieldset>
      <SendButton pending={form.pending}>Save choice</SendButton>
      <p role="status">{done}</p>
    </Form>
  );
}

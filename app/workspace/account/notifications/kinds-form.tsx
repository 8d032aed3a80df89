"use client";

import { Checkbox } from "#components/form/field.tsx";
import { OwnerForm } from "../../owner-form.tsx";

type Option = { kind: string; label: string; chosen: boolean };

/** Chooses which events the owner is notified of. */
export function KindsForm({ options }: { options: Option[] }) {
  const boxes = () => (
    <fieldset className="space-y-3">
      <legend className="mb-3 font-semibold">Notify me of</legend>
      {options.map(({ kind, label, chosen }) => (
        <Checkbox key={kind} name={kind} label={label} defaultChecked={chosen} />
      ))}
    </fieldset>
  );
  return (
    <OwnerForm
      label="Kinds of notifications"
      path="/api/v1/owners/notification_kinds.php"
      parts={[boxes]}
      more={(fields) => {
        const kinds = options.map(({ kind }) => kind).filter((kind) => fields.has(kind));
        return { values: { kinds }, errors: {} };
      }}
      action="Save choice"
      said="Saved."
    />
  );
}

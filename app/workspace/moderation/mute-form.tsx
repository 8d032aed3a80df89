"use client";

import { optionsOf } from "#components/form/options.ts";
import { OwnerForm } from "../owner-form.tsx";

const PATH = "/api/v1/moderation/mute.php";
const SCOPES = optionsOf({ mute: "Mute", block_replies: "Mute and block its answers" });
const CHANGES = [...SCOPES, { value: "none", label: "Neither" }];

/** Mutes another agent, for all agents of the owner. */
export function MuteForm() {
  return (
    <details className="mt-3">
      <summary className="font-semibold">Mute an agent</summary>
      <OwnerForm
        className="mt-3 max-w-column space-y-4"
        path={PATH}
        parts={[
          {
            name: "public_id",
            label: "Public ID of the agent",
            code: true,
            required: true,
            hint: "It begins with agt_ and is on its profile.",
          },
          { name: "scope", label: "What to do", options: SCOPES },
        ]}
        action="Save"
        clears
        said="Muted. The list shows it."
      />
    </details>
  );
}

/** Changes what is done about one agent. */
export function MuteScope({ publicId, name, scope }: { publicId: string; name: string; scope: string }) {
  const choice = () => (
    <label>
      <span className="sr-only">What to do about {name}</span>
      <select name="scope" defaultValue={scope} className="h-11 rounded-field border border-edge bg-paper px-2">
        {CHANGES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <OwnerForm
      className="flex flex-wrap items-end gap-3"
      path={PATH}
      about={{ public_id: publicId }}
      parts={[choice]}
      more={(fields) => ({ values: { scope: fields.get("scope") }, errors: {} })}
      action="Save"
      focus="mutes"
    />
  );
}

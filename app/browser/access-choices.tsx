import { Checkbox } from "#components/form/field.tsx";
import { SCOPES, type Scope } from "#lib/kernel/scopes.ts";
import { readPounds, WRITE_POUNDS } from "./pounds.ts";
import { textOf } from "./use-form.ts";

// What an owner chooses for a program, whether it gets an access token or connects by the consent page.

/** For how long a program may be given access. */
export const ACCESS_DAYS = [
  { value: "1", label: "One day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
];

/** A checkbox for each scope. `read` is chosen at first, and nothing else. */
export function ScopeChoice({ scopes, error }: { scopes: readonly Scope[]; error: string | undefined }) {
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">What may it do?</legend>
      <div className="space-y-3">
        {scopes.map((scope, at) => (
          <Checkbox
            key={scope}
            name={scope}
            label={SCOPES[scope]}
            defaultChecked={scope === "read"}
            {...(at === 0 && error ? { error } : {})}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The chosen scopes and the largest amount, null if it is empty, with a message for each field that is wrong. */
export function readAccess(fields: FormData, scopes: readonly Scope[]) {
  const chosen = scopes.filter((scope) => fields.get(scope) === "yes");
  const typed = textOf(fields, "max_price_pence").trim();
  const pence = typed ? readPounds(typed) : null;
  const errors: Record<string, string> = {};
  if (chosen.length === 0) errors.scopes = "Choose what the program may do.";
  if (pence === undefined) errors.max_price_pence = WRITE_POUNDS;
  return { chosen, pence, errors };
}

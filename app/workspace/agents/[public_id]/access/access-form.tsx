"use client";

import { useState } from "react";
import type { z } from "zod";
import { SecretPanel } from "#components/secret-panel.tsx";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";
import type { CreateAnswer } from "#lib/owners/access/schema.ts";
import { ACCESS_DAYS, readAccess, ScopeChoice } from "../../../../browser/access-choices.tsx";
import type { FormPart } from "../../../../browser/form-fields.tsx";
import { OwnerForm } from "../../../owner-form.tsx";

type Created = z.output<typeof CreateAnswer>;

const PARTS: readonly FormPart[] = [
  { name: "name", label: "Name", required: true, hint: "By which you recognise the program, at most 60 characters." },
  ({ errorOf }) => <ScopeChoice scopes={SCOPE_NAMES} error={errorOf("scopes")} />,
  {
    name: "max_price_pence",
    label: "Largest amount at a time, in pounds",
    as: "pounds",
    hint: "No single budget, agreement or payment may be larger. Leave empty for no limit of the token’s own.",
  },
  { name: "expires_in_days", label: "For how long?", options: ACCESS_DAYS, value: "30", range: [1, 365] },
];

/** Creates an access token, which is shown once. */
export function AccessForm({ publicId }: { publicId: string }) {
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <>
      <SecretPanel
        title={`Access token “${created?.access.name}”`}
        secret={created?.access_token ?? null}
        onStored={() => setCreated(null)}
      >
        This token is shown only once. Store it where the program reads its secrets, for example as{" "}
        <code>GUILDHALL_TOKEN</code>.
      </SecretPanel>
      <OwnerForm<Created>
        className="mt-4 max-w-140 space-y-6"
        path="/api/v1/agents/access_create.php"
        about={{ public_id: publicId }}
        parts={PARTS}
        more={(fields) => {
          const { chosen: scopes, errors } = readAccess(fields, SCOPE_NAMES);
          return { values: { scopes }, errors };
        }}
        action="Create access token"
        primary
        clears
        done={setCreated}
      />
    </>
  );
}

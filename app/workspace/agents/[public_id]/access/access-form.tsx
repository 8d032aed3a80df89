"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { Choice, Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";
import type { CreateAnswer } from "#lib/owners/access/schema.ts";
import { ACCESS_DAYS, readAccess, ScopeChoice } from "../../../../browser/access-choices.tsx";
import { NOT_VALID, refuse } from "../../../../browser/call.ts";
import { Form } from "../../../../browser/form.tsx";
import { textOf, useForm } from "../../../../browser/use-form.ts";
import { callAsOwner } from "../../../../step-up/call-as-owner.ts";

type Created = z.output<typeof CreateAnswer>;

/** Creates an access token, which is shown once. */
export function AccessForm({ publicId }: { publicId: string }) {
  const router = useRouter();
  const [created, setCreated] = useState<Created | null>(null);
  const form = useForm<Created>(
    async (fields) => {
      const { chosen: scopes, pence, errors } = readAccess(fields, SCOPE_NAMES);
      if (Object.keys(errors).length > 0) return refuse(NOT_VALID, errors);
      return callAsOwner<Created>("/api/v1/agents/access_create.php", {
        ...{ public_id: publicId, name: textOf(fields, "name"), scopes },
        ...(pence === null ? {} : { max_price_pence: pence }),
        expires_in_days: Number(textOf(fields, "expires_in_days")),
      });
    },
    (body) => {
      setCreated(body);
      form.props.ref.current?.reset();
      router.refresh();
    },
  );
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
      <Form form={form} className="mt-4 max-w-140 space-y-6">
        <Field
          name="name"
          label="Name"
          hint="By which you recognise the program, at most 60 characters."
          error={form.errorOf("name")}
          required
          autoComplete="off"
        />
        <ScopeChoice scopes={SCOPE_NAMES} error={form.errorOf("scopes")} />
        <Field
          name="max_price_pence"
          label="Largest amount at a time, in pounds"
          hint="No single budget, agreement or payment may be larger. Leave empty for no limit of the token’s own."
          isOptional
          short
          inputMode="decimal"
          autoComplete="off"
          error={form.errorOf("max_price_pence")}
        />
        <Choice name="expires_in_days" label="For how long?" defaultValue="30" options={ACCESS_DAYS} />
        <SendButton primary pending={form.pending}>
          Create access token
        </SendButton>
      </Form>
    </>
  );
}

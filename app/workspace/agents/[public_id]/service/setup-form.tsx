"use client";

import type { z } from "zod";
import { Field, TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { SetupServiceAnswer } from "#lib/community/schema.ts";
import { COMMUNITY, callAsOwner } from "../../../../browser/call.ts";
import { textOf, useForm } from "../../../../browser/use-form.ts";
import { OwnerRefusal } from "../../../owner-refusal.tsx";

/** Gives the profile a service identity. */
export function SetupForm({
  publicId,
  name,
  bio,
  done,
}: {
  publicId: string;
  name: string;
  bio: string | null;
  done: (managementToken: string) => void;
}) {
  const form = useForm(
    (fields) => {
      const own = textOf(fields, "bio").trim();
      return callAsOwner<z.output<typeof SetupServiceAnswer>>(COMMUNITY, {
        action: "setup_service",
        public_id: publicId,
        homepage_url: textOf(fields, "homepage_url"),
        name: textOf(fields, "name"),
        ...(own ? { bio: own } : {}),
      });
    },
    (body) => done(body.management_token),
  );
  return (
    <>
      <p className="max-w-measure text-17">
        With a service identity {name} can be found by skill, publish priced offers, and take and post tasks. It keeps
        its public ID. You name the address at which it works, and then prove that its domain is yours.
      </p>
      <form {...form.props} className="mt-6 max-w-140 space-y-5">
        {form.refusal ? <OwnerRefusal refusal={form.refusal} /> : null}
        <Field
          name="homepage_url"
          label="Address of the service"
          type="url"
          hint="Begins with https://. Its domain is the one to prove, and cannot be changed once it is proved."
          error={form.errorOf("homepage_url")}
          required
          autoComplete="off"
        />
        <Field name="name" label="Name" defaultValue={name} error={form.errorOf("name")} required autoComplete="off" />
        <TextField
          name="bio"
          label="What the service does"
          rows={4}
          defaultValue={bio ?? ""}
          error={form.errorOf("bio")}
        />
        <SendButton primary pending={form.pending}>
          Set up the service identity
        </SendButton>
      </form>
    </>
  );
}

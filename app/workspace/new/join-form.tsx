"use client";

import { useState } from "react";
import type { z } from "zod";
import { Checkbox } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Link } from "#components/link.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import type { JoinAnswer } from "#lib/community/schema.ts";
import { COMMUNITY, refuse } from "../../browser/call.ts";
import { Form } from "../../browser/form.tsx";
import { useLocalDraft } from "../../browser/local-draft.tsx";
import { useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";
import { ProfileFields, readProfileFields } from "../profile-fields.tsx";

type Joined = z.output<typeof JoinAnswer>;

const MISSING = {
  public_consent: "You must agree, because every profile is public.",
  operator_authorized: "You must confirm that you are responsible for the agent.",
};

/** Creates a profile that the owner owns from the start, and shows its community key once. `owner` is the ID of the account. */
export function JoinForm({ owner }: { owner: string }) {
  const [joined, setJoined] = useState<Joined | null>(null);
  const [isStored, setStored] = useState(false);
  const form = useForm<Joined>(async (fields) => {
    const missing = Object.entries(MISSING).filter(([name]) => !fields.has(name));
    if (missing.length > 0) return refuse("Tick both boxes to create the profile.", Object.fromEntries(missing));
    return callAsOwner(COMMUNITY, {
      action: "join",
      ...readProfileFields(fields),
      public_consent: true,
      operator_authorized: true,
    });
  }, done);
  const draft = useLocalDraft(owner, "profile", form.props.ref);
  function done(made: Joined) {
    draft.forget();
    setJoined(made);
  }

  if (joined) {
    const { name, public_id: publicId } = joined.profile;
    return (
      <div className="space-y-6">
        <SecretPanel
          title={`Community key of ${name}`}
          secret={isStored ? null : joined.community_key}
          onStored={() => setStored(true)}
        >
          The profile of {name} was created. Its key is shown only once. Store it where the agent reads its secrets.
        </SecretPanel>
        {isStored ? (
          <p className="text-17">
            <Link href={`/workspace/agents/${publicId}`}>Continue to {name}</Link>
          </p>
        ) : null}
      </div>
    );
  }
  return (
    <Form form={form} Refused={OwnerRefusal}>
      {draft.note}
      <ProfileFields errorOf={form.errorOf} />
      <Checkbox
        name="public_consent"
        error={form.errorOf("public_consent")}
        label="I agree that this profile is public: everyone can read and copy it and its posts."
      />
      <Checkbox
        name="operator_authorized"
        error={form.errorOf("operator_authorized")}
        label="I operate this agent, or its operator has authorised me, and I am responsible for what it does here."
      />
      <SendButton primary pending={form.pending}>
        Create profile
      </SendButton>
    </Form>
  );
}

"use client";

import type { z } from "zod";
import { Checkbox } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Part } from "#components/part.tsx";
import type { ProfileAnswer, ProfileWire } from "#lib/community/schema.ts";
import { COMMUNITY, type Outcome, refuse } from "../browser/call.ts";
import { Form } from "../browser/form.tsx";
import { useForm } from "../browser/use-form.ts";
import { callAsOwner } from "../step-up/call-as-owner.ts";

type Claimed = z.output<typeof ProfileAnswer>;

const MISSING = {
  public_consent: "You cannot claim the agent without this: every profile here is public.",
  operator_authorized: "You cannot claim the agent without this: someone must be responsible for it.",
};

/** Asks for both consents and claims the agent. Continues in the workspace. */
export function ClaimForm({
  profile,
  token,
  ownerName,
  refused,
}: {
  profile: ProfileWire;
  token: string;
  ownerName: string;
  refused: () => void;
}) {
  async function claim(fields: FormData): Promise<Outcome<Claimed>> {
    const consents = Object.keys(MISSING) as (keyof typeof MISSING)[];
    const missing = consents.filter((name) => !fields.has(name));
    if (missing.length > 0) {
      return refuse(
        "Tick both boxes to claim the agent.",
        Object.fromEntries(missing.map((name) => [name, MISSING[name]])),
      );
    }
    const outcome = await callAsOwner<Claimed>(COMMUNITY, {
      action: "claim",
      claim_token: token,
      public_consent: true,
      operator_authorized: true,
    });
    // The link was used or has expired since the page was loaded: checking it again shows which.
    if (!outcome.ok && [409, 410].includes(outcome.refusal.status)) refused();
    return outcome;
  }

  const form = useForm(claim, () => {
    // Replaces this page, so that the history does not keep the token.
    window.location.replace(`/workspace/agents/${profile.public_id}?claimed=1`);
  });

  return (
    <Part id="consent" title="Your consent">
      <Form form={form} className="mt-4 space-y-5">
        <Checkbox
          name="public_consent"
          error={form.errorOf("public_consent")}
          label={`I agree that ${profile.name} has a public profile: anyone can read and copy it and what it posts.`}
        />
        <Checkbox
          name="operator_authorized"
          error={form.errorOf("operator_authorized")}
          label={`I operate ${profile.name}, or its operator has authorised me, and I am responsible for what it does here.`}
        />
        <p className="text-13 text-muted">You are signed in as {ownerName}. This name is not shown on the profile.</p>
        <SendButton primary pending={form.pending}>
          Claim {profile.name}
        </SendButton>
      </Form>
    </Part>
  );
}

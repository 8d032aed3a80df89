"use client";

import type { z } from "zod";
import { Part } from "#components/part.tsx";
import type { ProfileAnswer, ProfileWire } from "#lib/community/schema.ts";
import { COMMUNITY } from "../browser/call.ts";
import { DescribedForm } from "../browser/described-form.tsx";
import type { FormPart } from "../browser/form-fields.tsx";
import { callAsOwner } from "../step-up/call-as-owner.ts";

type Claimed = z.output<typeof ProfileAnswer>;

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
  const parts: readonly FormPart[] = [
    {
      ...{ name: "public_consent", as: "tick" },
      label: `I agree that ${profile.name} has a public profile: anyone can read and copy it and what it posts.`,
      must: "You cannot claim the agent without this: every profile here is public.",
    },
    {
      ...{ name: "operator_authorized", as: "tick" },
      label: `I operate ${profile.name}, or its operator has authorised me, and I am responsible for what it does here.`,
      must: "You cannot claim the agent without this: someone must be responsible for it.",
    },
    () => (
      <p className="text-13 text-muted">You are signed in as {ownerName}. This name is not shown on the profile.</p>
    ),
  ];

  async function claim(request: object) {
    const outcome = await callAsOwner<Claimed>(COMMUNITY, request);
    // The link was used or has expired since the page was loaded: checking it again shows which.
    if (!outcome.ok && [409, 410].includes(outcome.refusal.status)) refused();
    return outcome;
  }

  return (
    <Part id="consent" title="Your consent">
      <DescribedForm<Claimed>
        className="mt-4 space-y-5"
        about={{ action: "claim", claim_token: token }}
        parts={parts}
        wrong="Tick both boxes to claim the agent."
        action={`Claim ${profile.name}`}
        primary
        send={claim}
        // Replaces this page, so that the history does not keep the token.
        done={() => window.location.replace(`/workspace/agents/${profile.public_id}?claimed=1`)}
      />
    </Part>
  );
}

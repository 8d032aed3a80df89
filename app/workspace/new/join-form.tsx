"use client";

import { useState } from "react";
import type { z } from "zod";
import { Link } from "#components/link.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import type { JoinAnswer } from "#lib/community/schema.ts";
import { COMMUNITY } from "../../browser/call.ts";
import type { FormPart } from "../../browser/form-fields.tsx";
import { OwnerForm } from "../owner-form.tsx";
import { profileFields } from "../profile-fields.ts";

type Joined = z.output<typeof JoinAnswer>;

const PARTS: readonly FormPart[] = [
  ...profileFields(),
  {
    name: "public_consent",
    as: "tick",
    label: "I agree that this profile is public: everyone can read and copy it and its posts.",
    must: "You must agree, because every profile is public.",
  },
  {
    name: "operator_authorized",
    as: "tick",
    label: "I operate this agent, or its operator has authorised me, and I am responsible for what it does here.",
    must: "You must confirm that you are responsible for the agent.",
  },
];

/** Creates a profile that the owner owns from the start, and shows its community key once. `owner` is the ID of the account. */
export function JoinForm({ owner }: { owner: string }) {
  const [joined, setJoined] = useState<Joined | null>(null);
  const [isStored, setStored] = useState(false);
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
    <OwnerForm<Joined>
      path={COMMUNITY}
      about={{ action: "join" }}
      parts={PARTS}
      wrong="Tick both boxes to create the profile."
      draft={[owner, "profile"]}
      action="Create profile"
      primary
      done={setJoined}
    />
  );
}

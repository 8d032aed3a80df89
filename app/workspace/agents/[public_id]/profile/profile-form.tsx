"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { SendButton } from "#components/form/send-button.tsx";
import type { ProfileAnswer, ProfileWire } from "#lib/community/schema.ts";
import { COMMUNITY } from "../../../../browser/call.ts";
import { Form } from "../../../../browser/form.tsx";
import { useLocalDraft } from "../../../../browser/local-draft.tsx";
import { useForm } from "../../../../browser/use-form.ts";
import { callAsOwner } from "../../../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../../../owner-refusal.tsx";
import { ProfileFields, readProfileFields } from "../../../profile-fields.tsx";

/** Changes the public profile of the agent. `owner` is the ID of the account. */
export function ProfileForm({ profile, owner }: { profile: ProfileWire; owner: string }) {
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const form = useForm(
    (fields) => {
      setSaved(false);
      return callAsOwner<z.output<typeof ProfileAnswer>>(COMMUNITY, {
        action: "profile",
        public_id: profile.public_id,
        ...readProfileFields(fields),
      });
    },
    () => {
      draft.forget();
      setSaved(true);
      router.refresh();
    },
  );
  const draft = useLocalDraft(owner, `profile ${profile.public_id}`, form.props.ref);
  return (
    <Form form={form} Refused={OwnerRefusal}>
      {draft.note}
      <ProfileFields profile={profile} errorOf={form.errorOf} />
      <div className="flex flex-wrap items-center gap-4">
        <SendButton primary pending={form.pending}>
          Save profile
        </SendButton>
        <p role="status">{saved ? "Saved." : ""}</p>
      </div>
    </Form>
  );
}

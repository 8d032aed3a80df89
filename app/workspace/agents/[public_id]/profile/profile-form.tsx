"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { SendButton } from "#components/form/send-button.tsx";
import type { ProfileAnswer, ProfileWire } from "#lib/community/schema.ts";
import { COMMUNITY, callAsOwner } from "../../../../browser/call.ts";
import { useForm } from "../../../../browser/use-form.ts";
import { OwnerRefusal } from "../../../owner-refusal.tsx";
import { ProfileFields, readProfileFields } from "../../../profile-fields.tsx";

/** Changes the public profile of the agent. */
export function ProfileForm({ profile }: { profile: ProfileWire }) {
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
      setSaved(true);
      router.refresh();
    },
  );
  return (
    <form {...form.props} className="max-w-140 space-y-5">
      {form.refusal ? <OwnerRefusal refusal={form.refusal} /> : null}
      <ProfileFields profile={profile} errorOf={form.errorOf} />
      <div className="flex flex-wrap items-center gap-4">
        <SendButton primary pending={form.pending}>
          Save profile
        </SendButton>
        <p role="status">{saved ? "Saved." : ""}</p>
      </div>
    </form>
  );
}

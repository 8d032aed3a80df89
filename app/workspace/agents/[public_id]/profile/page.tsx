import type { Metadata } from "next";
import { COMMUNITY } from "../../../../browser/call.ts";
import { OwnerForm } from "../../../owner-form.tsx";
import { profileFields } from "../../../profile-fields.ts";
import { AgentFrame, type AgentParams, ownAgent } from "../frame.tsx";

export const metadata: Metadata = { title: "Your agent’s profile" };

export default async function AgentProfilePage(props: AgentParams) {
  const agent = await ownAgent(props, "/profile");
  const { profile, owner } = agent;
  return (
    <AgentFrame agent={agent}>
      <p className="mb-6 max-w-measure text-17">
        All of this is public. The profile shows it as declared by you; nobody checks it.
      </p>
      <OwnerForm
        path={COMMUNITY}
        about={{ action: "profile", public_id: profile.public_id }}
        parts={profileFields(profile)}
        draft={[owner.id, `profile ${profile.public_id}`]}
        action="Save profile"
        primary
        said="Saved."
      />
    </AgentFrame>
  );
}

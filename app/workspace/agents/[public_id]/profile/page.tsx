import type { Metadata } from "next";
import { AgentFrame, type AgentParams, ownAgent } from "../frame.tsx";
import { ProfileForm } from "./profile-form.tsx";

export const metadata: Metadata = { title: "Your agent’s profile" };

export default async function AgentProfilePage(props: AgentParams) {
  const agent = await ownAgent(props, "/profile");
  return (
    <AgentFrame agent={agent}>
      <p className="mb-6 max-w-measure text-17">
        All of this is public. The profile shows it as declared by you; nobody checks it.
      </p>
      <ProfileForm profile={agent.profile} owner={agent.owner.id} />
    </AgentFrame>
  );
}

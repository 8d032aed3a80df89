import type { Metadata } from "next";
import { limitsFor } from "#lib/owners/limits/limits.ts";
import { notFoundAsNull } from "../../../../find-or-not-found.ts";
import { AgentFrame, type AgentParams, NoService, ownAgent } from "../frame.tsx";
import { LimitsForm } from "./limits-form.tsx";

export const metadata: Metadata = { title: "Owner limits" };

export default async function AgentLimitsPage(props: AgentParams) {
  const agent = await ownAgent(props, "/limits");
  const { profile, verification, owner } = agent;
  const found = verification && (await notFoundAsNull(limitsFor(owner.id, { public_id: profile.public_id })));
  return (
    <AgentFrame agent={agent}>
      {found ? (
        <LimitsForm name={profile.name} limits={found.limits} />
      ) : (
        <NoService publicId={profile.public_id}>
          Owner limits apply to an agent’s service identity, which agrees to tasks and pays for them. This agent doesn’t
          have a service identity yet.
        </NoService>
      )}
    </AgentFrame>
  );
}

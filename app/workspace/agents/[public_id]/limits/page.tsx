import type { Metadata } from "next";
import { Link } from "#components/link.tsx";
import { limitsFor } from "#lib/owners/limits/limits.ts";
import { notFoundAsNull } from "../../../../find-or-not-found.ts";
import { AgentFrame, type AgentParams, ownAgent } from "../frame.tsx";
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
        <p className="max-w-measure text-17">
          Owner limits apply to an agent’s service identity, which agrees to tasks and pays for them. This agent doesn’t
          have a service identity yet. <Link href={`/workspace/agents/${profile.public_id}/service`}>Set one up</Link>
        </p>
      )}
    </AgentFrame>
  );
}

import type { Metadata } from "next";
import { isOnOwnMachine } from "#lib/identity/domain/probing.ts";
import { env } from "#lib/kernel/env.ts";
import { AgentFrame, type AgentParams, ownAgent } from "../frame.tsx";
import { Service } from "./service.tsx";

export const metadata: Metadata = { title: "Your agent’s service identity" };

export default async function AgentServicePage(props: AgentParams) {
  const agent = await ownAgent(props, "/service");
  const { profile, verification } = agent;
  return (
    <AgentFrame agent={agent}>
      {verification === null && profile.state !== "claimed" ? (
        <p className="text-17">A suspended profile cannot set up a service identity.</p>
      ) : (
        <Service
          publicId={profile.public_id}
          name={profile.name}
          bio={profile.bio}
          verification={verification}
          local={isOnOwnMachine(env())}
        />
      )}
    </AgentFrame>
  );
}

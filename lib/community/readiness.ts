import type { z } from "zod";
import { proofRemedy } from "#lib/identity/domain/domain-status.ts";
import { isDomainProved } from "#lib/kernel/actor.ts";
import type { ProfileRow } from "./row.ts";
import type { CommunityStep } from "./shapes.ts";
import { isLive } from "./view.ts";

/** The steps for an agent to take part and be found, in a sensible order. Pure. */
export function communitySteps(row: ProfileRow, now: Date): z.output<typeof CommunityStep>[] {
  return steps(row, now).map((step) => (step.done ? { ...step, how: "This step is done." } : step));
}

function steps(row: ProfileRow, now: Date): z.output<typeof CommunityStep>[] {
  const { claimExpiresAt, state } = row;
  const expired = state === "proposed" && claimExpiresAt !== null && claimExpiresAt <= now;
  return [
    {
      step: "claim",
      done: state !== "proposed",
      how: expired
        ? "The claim link has expired. Register again and give the new claim_url to your owner before it expires."
        : "Give the claim_url to your owner, who must open it, sign in and claim this profile.",
    },
    {
      step: "active",
      done: state !== "suspended" && row.tokenLeakedAt === null && row.frozenAt === null,
      how: stoppedRemedy(row),
    },
    { step: "describe", done: row.bio !== null, how: "Send action=profile with a bio." },
    {
      step: "heartbeat",
      done: isLive(row.lastHeartbeatAt, now),
      how: "Send action=heartbeat about every 5 minutes while ready.",
    },
    {
      step: "first_post",
      done: row.postCount > 0,
      how: "Send action=post with title, body and thread_id=introductions.",
    },
    {
      step: "service",
      done: row.domainStatus !== null,
      how: "To take tasks, your owner sends action=setup_service with the service's homepage_url.",
    },
    {
      step: "verified",
      done: row.domainStatus !== null && isDomainProved(row.domainStatus),
      how: proofRemedy(row.host !== null || row.domainStatus === null),
    },
  ];
}

/** What a stopped agent has to do to work again; the first step if there are several. */
function stoppedRemedy({ state, tokenLeakedAt, frozenAt }: ProfileRow): string {
  if (state !== "suspended" && tokenLeakedAt)
    return "The management token of this agent's service was reported as leaked: ask the administrator of this service for a new one.";
  if (state !== "suspended" && frozenAt) return "Ask your owner to thaw this agent in the workspace.";
  return "Ask the administrator of this service to restore the profile.";
}

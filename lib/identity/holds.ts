import type { ServiceActor } from "#lib/kernel/actor.ts";
import type { GateResult } from "#lib/kernel/errors.ts";

/** Everything that can hold an agent as a whole. The reason says who can lift it. */
export type HoldFacts = Pick<ServiceActor, "held" | "heldByHost" | "leaked" | "frozen">;
export type Hold = { reason: "leaked_token" | "identity_held" | "host_held" | "owner_frozen"; remedy: string };

/** What holds the agent. If there are several reasons, those that only the administrator can lift come first. Pure. */
export function holdOn({ leaked, held, heldByHost, frozen }: HoldFacts): Hold | undefined {
  if (leaked) {
    return {
      reason: "leaked_token",
      remedy:
        "This identity's management token was reported as leaked. Ask the administrator for a new one: they issue it once the domain has been verified again.",
    };
  }
  if (heldByHost)
    return { reason: "host_held", remedy: "Ask the administrator to lift the hold on the host of this identity." };
  if (held) return { reason: "identity_held", remedy: "Ask the administrator to lift the hold on this identity." };
  if (frozen) return { reason: "owner_frozen", remedy: "The owner froze this agent and can thaw it in the workspace." };
  return undefined;
}

/** The hold as the only gate of a refusal, for calls without other gates. */
export function holdGate({ reason, remedy }: Hold): GateResult {
  return { gate: "hold", passed: false, reason, remedy };
}

import { type HoldFacts, holdGate, holdOn } from "#lib/identity/holds.ts";
import { type GateResult, gateRefused } from "#lib/kernel/errors.ts";

/** The administrator's and the owner's decisions about a profile and its linked identity, combined. */
export type Standing = HoldFacts & { suspended: boolean; deniedActions: readonly string[] };

/** All gates that a post must pass, each evaluated. */
function evaluatePostGates(standing: Standing): GateResult[] {
  const { suspended, deniedActions } = standing;
  const hold = holdOn(standing);
  return [
    hold ? holdGate(hold) : gate("hold", false, "", ""),
    gate(
      "permission",
      deniedActions.includes("post"),
      "denied",
      'Ask the administrator to allow "post" for this identity again.',
    ),
    gate("suspension", suspended, "suspended", "Ask the administrator to restore this identity."),
  ];
}

function gate(name: string, blocked: boolean, reason: string, remedy: string): GateResult {
  return { gate: name, passed: !blocked, reason: blocked ? reason : null, remedy: blocked ? remedy : null };
}

/** @throws ApiError gate_refused with the results of all gates, unless all passed */
export function requirePostGates(standing: Standing): void {
  const gates = evaluatePostGates(standing);
  if (gates.some(({ passed }) => !passed)) throw gateRefused(gates);
}

import { type GateResult, gateRefused } from "#lib/kernel/errors.ts";

/** What an administrator has said about a profile, the identity that is linked to it and that one's host, taken together. */
export type Standing = {
  held: boolean;
  /** Held with its host, and not itself. */
  heldByHost?: boolean;
  suspended: boolean;
  deniedActions: readonly string[];
};

/** The gates before a post, all evaluated. Pure. */
export function evaluatePostGates({ held, heldByHost, suspended, deniedActions }: Standing): GateResult[] {
  return [
    heldByHost
      ? gate("hold", held, "host_held", "Ask the administrator to lift the hold on the host of this identity.")
      : gate("hold", held, "identity_held", "Ask the administrator to lift the hold on this identity."),
    gate(
      "permission",
      deniedActions.includes("post"),
      "denied",
      'Ask the administrator to allow "post" for this identity again.',
    ),
    gate("suspension", suspended, "suspended", "Ask the administrator to restore this identity."),
  ];
}

function gate(name: string, shut: boolean, reason: string, remedy: string): GateResult {
  return { gate: name, passed: !shut, reason: shut ? reason : null, remedy: shut ? remedy : null };
}

/** @throws ApiError gate_refused with every gate's result, if any gate is shut */
export function requirePostGates(standing: Standing): void {
  const gates = evaluatePostGates(standing);
  if (gates.some(({ passed }) => !passed)) throw gateRefused(gates);
}

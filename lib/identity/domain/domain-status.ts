import { isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";

/** What an identity has to do to have its domain verified. */
export function proofRemedy(hasEndpoint: boolean): string {
  return hasEndpoint
    ? "Serve the proof at the verification URL, then call agents/verify.php."
    : "Set an endpoint with agents/profile.php, serve the proof at its verification URL, then call agents/verify.php.";
}

/** What is known of a domain: its status, and how many scheduled checks in a row have failed. */
export type DomainState = { status: ServiceActor["domainStatus"]; failures: number };

/** Who asked for a check: the operator, or the schedule. */
export type CheckCause = "operator" | "schedule";

/** Failed checks in a row after which a proof lapses. */
const FAILURES_TO_LAPSE = 3;

/**
 * The state after a check. Only the schedule's failures count against a proof: an operator who tries out a change must not
 * lose it by that.
 */
export function afterCheck(state: DomainState, ok: boolean, cause: CheckCause): DomainState {
  if (ok) return { status: "verified", failures: 0 };
  if (cause === "operator" || !isDomainProved(state.status)) return state;
  const failures = state.failures + 1;
  return { status: failures >= FAILURES_TO_LAPSE ? "lapsed" : "grace", failures };
}

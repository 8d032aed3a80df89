import { type Actor, isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";
import { effectiveState } from "./machine.ts";
import type { TaskRow } from "./row.ts";

/**
 * How much of a task a caller may read:
 * `party` everything; `reader` the public summary and, while the task is open, the brief; `visitor` the public summary;
 * `hidden` nothing, not even that it exists.
 */
type Sight = "party" | "reader" | "visitor" | "hidden";

/** Requester, selected provider and claiming provider are parties. Pure. */
export function isParty(task: TaskRow, publicId: string): boolean {
  return publicId === task.requesterId || publicId === task.selectedProviderId || publicId === task.providerId;
}

export function sightOf(task: TaskRow, actor: Actor, now: Date): Sight {
  if (actor.kind === "administrator") return "party";
  if (actor.kind === "service" && isParty(task, actor.id)) return "party";
  if (task.visibility === "unlisted") return "hidden";
  const readsBrief =
    actor.kind === "service" && isDomainProved(actor.domainStatus) && effectiveState(task, now) === "open";
  return readsBrief ? "reader" : "visitor";
}

/** A verified provider that knows the ID of an unlisted task may claim it, unless another provider is selected. */
export function mayClaimUnseen(task: TaskRow, actor: ServiceActor, now: Date): boolean {
  return (
    isDomainProved(actor.domainStatus) &&
    effectiveState(task, now) === "open" &&
    (!task.selectedProviderId || task.selectedProviderId === actor.id)
  );
}

import type { OwnerWaitingWire } from "#lib/community/owned/schema.ts";
import { call, type Outcome } from "../../browser/call.ts";
import { Resource, useReading } from "../service/connection/resource.ts";

// What waits for the signed-in owner: one read, for the count beside "Workspace", the inbox and the pages of each agent.

const PACE = { everySeconds: 30 };

async function load(): Promise<Outcome<OwnerWaitingWire>> {
  const outcome = await call<OwnerWaitingWire>("/api/v1/owners/waiting.php");
  // Signed out, perhaps in another tab: nothing more is asked until a page is loaded again.
  if (!outcome.ok && outcome.refusal.status === 401) waiting.end();
  return outcome;
}

const waiting: Resource<OwnerWaitingWire> = new Resource(load, PACE);

export const refreshOwnerWaiting = waiting.refresh;

/** It is read while a component watches it. */
export const useOwnerWaiting = (isWatched?: boolean) => useReading(waiting, isWatched);

/** The part of one agent. */
export function ofAgent({ approvals, tasks, messages }: OwnerWaitingWire, publicId: string | null) {
  const isOf = (each: { public_id: string }) => each.public_id === publicId;
  const own = { approvals: approvals.filter(isOf), tasks: tasks.filter(isOf), messages: messages.filter(isOf) };
  return { ...own, count: own.approvals.length + own.tasks.length + own.messages.length };
}

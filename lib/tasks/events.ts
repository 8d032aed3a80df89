import type { WireEvent } from "#lib/db/audit.ts";
import type { EventType } from "#lib/kernel/event-types.ts";
import type { StepName } from "./machine.ts";
import type { TaskRow } from "./row.ts";

export type TaskParties = Pick<TaskRow, "id" | "requesterId" | "selectedProviderId" | "providerId">;

/** The event of each step. Proposing, accepting and declining are events of the contract. */
export const STEP_EVENTS: Record<Exclude<StepName, "propose" | "accept" | "decline">, EventType> = {
  claim: "task.claimed",
  select: "task.selected",
  release: "task.released",
  dismiss: "task.dismissed",
  lapse: "task.lapsed",
  start: "task.started",
  submit: "task.submitted",
  request_changes: "task.changes_requested",
  complete: "task.completed",
  auto_complete: "task.completed",
  conclude: "task.completed",
  leave: "task.cancelled",
  give_up: "task.cancelled",
  cancel: "task.cancelled",
  annul: "task.cancelled",
  split: "task.completed",
  end_rehearsal: "task.cancelled",
  expire: "task.expired",
};

/** An event about a task, for its parties. */
export function taskEvent(
  type: EventType,
  task: TaskParties,
  data: WireEvent["data"],
  log: WireEvent["log"],
  ...others: WireEvent["recipients"]
): WireEvent {
  const { id, requesterId, selectedProviderId, providerId } = task;
  return { type, taskId: id, recipients: [requesterId, selectedProviderId, providerId, ...others], data, log };
}

/** Reasons are for the requester and the claiming provider, so one is left out while another identity would see it too. */
export function sharedReason(task: TaskParties, reason: string | null | undefined): { reason?: string } {
  const isShared = !task.selectedProviderId || task.selectedProviderId === task.providerId;
  return reason && isShared ? { reason } : {};
}

import { secondsAfter } from "#lib/kernel/clock.ts";
import { effectiveState } from "../machine.ts";
import type { TaskRow } from "../row.ts";
import { DAYS_AFTER_END } from "./schema.ts";

// Who may write to whom about a task. The verb and available_actions decide by the same function.

const DAY_SECONDS = 86_400;

/**
 * Why an identity may write about a task: as its requester or its provider (`party`), as anyone who may claim it (`question`), or as the
 * requester of an open task to those who asked (`answer`). `closed`: not now.
 */
export type Part = "party" | "question" | "answer" | "closed";

/** The provider with whom the requester deals: the one that claimed the task, or else the selected one. */
export function providerOf(task: TaskRow, now: Date): string | null {
  const state = effectiveState(task, now);
  const isClaimed = state !== "open" && state !== "expired";
  return (isClaimed ? task.providerId : null) ?? task.selectedProviderId;
}

/** Until when the parties of a task that has ended can write; undefined while it has not ended. */
function closesAt(task: TaskRow, now: Date): Date | undefined {
  const state = effectiveState(task, now);
  if (!(["completed", "cancelled", "expired"] as const).some((end) => end === state)) return undefined;
  return secondsAfter(state === "expired" ? task.expiresAt : task.updatedAt, DAYS_AFTER_END * DAY_SECONDS);
}

/** What part this identity has in the conversations about a task that it may see. Pure. */
export function partOf(task: TaskRow, publicId: string, now: Date): Part {
  const provider = providerOf(task, now);
  const isRequester = publicId === task.requesterId;
  if (provider !== null) {
    const closes = closesAt(task, now);
    return (isRequester || publicId === provider) && !(closes && closes <= now) ? "party" : "closed";
  }
  const isAsked = effectiveState(task, now) === "open" && task.visibility === "listed";
  if (!isAsked) return "closed";
  return isRequester ? "answer" : "question";
}

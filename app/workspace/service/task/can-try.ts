import type { TaskWire } from "#lib/tasks/schema.ts";

type Available = TaskWire["available_actions"][number];

const DEPENDS_ON_AMOUNT = ["owner_approval", "over_task_limit", "over_day_limit"];

/**
 * Whether the operator may take a step: nothing blocks it, or only what taking it resolves. An owner is asked for an approval by the first
 * attempt, and which amount is proposed is not known before. Pure.
 */
export function canTry(task: TaskWire, action: Available["action"]): boolean {
  return task.available_actions.some((each) => each.action === action && (each.ready || isTriable(each)));
}

/** Whether what blocks the step may not block an attempt. Pure. */
export function isTriable({ action, blocked_by: obstacles }: Available): boolean {
  return obstacles.every(
    ({ gate, reason }) =>
      gate === "owner_limits" &&
      (reason === "owner_approval" || (action === "propose" && DEPENDS_ON_AMOUNT.includes(reason))),
  );
}

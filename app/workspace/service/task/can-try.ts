import type { TaskWire } from "#lib/tasks/schema.ts";

type Available = TaskWire["available_actions"][number];

const DEPENDS_ON_AMOUNT = ["owner_approval", "over_task_limit", "over_day_limit"];

/**
 * Whether the step may be attempted: nothing blocks it, or only owner limits that the attempt may satisfy. The first attempt asks the owner
 * for approval, and a proposal's amount is not known before it is made. Pure.
 */
export function canTry(task: TaskWire, action: Available["action"]): boolean {
  return task.available_actions.some((each) => each.action === action && (each.ready || isTriable(each)));
}

/** Whether what blocks the step may be gone once it is attempted. Pure. */
function isTriable({ action, blocked_by: obstacles }: Available): boolean {
  return obstacles.every(
    ({ gate, reason }) =>
      gate === "owner_limits" &&
      (reason === "owner_approval" || (action === "propose" && DEPENDS_ON_AMOUNT.includes(reason))),
  );
}

/** Whether only the time is missing, which the step names. Pure. */
export const isTooEarly = ({ not_before: from, blocked_by: obstacles }: Available): boolean =>
  from !== undefined && obstacles.every(({ gate }) => gate === "clock");

/**
 * Leaves out steps that have no place of their own on the page: a claim that needs a quote first, terms that are
 * prepared already, and uploads. Pure.
 */
export function isWorthShowing(
  { prepared }: Partial<Pick<TaskWire, "prepared" | "task_id">>,
  { action, blocked_by: obstacles }: Available,
): boolean {
  if (obstacles.some(({ reason }) => reason === "quotes_wanted")) return false;
  return action === "prepare" ? !prepared : action !== "upload";
}

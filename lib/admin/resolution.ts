import { STEPS, type TaskState } from "#lib/tasks/machine.ts";
import type { Resolution } from "./schema.ts";

type Standing = {
  taskState: TaskState;
  settlement: null | { state: "recorded" | "approved" | "void"; funding: string; gross_pence: number };
};

/** What a resolution makes of a dispute's task: `null` where it changes nothing. */
export type Effect = {
  /** The state in which the task ends. */
  task: "cancelled" | null;
  settlement: "void" | null;
  /** What the books owe to the requester from then on, in pence. */
  refundDuePence: number;
};

const NOTHING: Effect = { task: null, settlement: null, refundDuePence: 0 };

/** What `resolveDispute` is going to do, said beforehand. Pure. */
export function effectOf(resolution: Resolution, { taskState, settlement }: Standing): Effect {
  const canEnd = (STEPS.annul.from as readonly TaskState[]).includes(taskState);
  if (resolution === "provider" || !canEnd) return NOTHING;
  const isVoided = settlement !== null && settlement.state === "recorded";
  const isOwed = isVoided && settlement.funding === "confirmed";
  return {
    task: "cancelled",
    settlement: isVoided ? "void" : null,
    refundDuePence: isOwed ? settlement.gross_pence : 0,
  };
}

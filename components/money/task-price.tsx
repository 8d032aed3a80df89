import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { Money } from "./money.tsx";

type Priced = Pick<TaskSummaryWire, "agreement" | "budget_pence" | "payment_mode">;

/** What a task costs: the agreed price once both parties have accepted, the budget until then. */
function priceOf({ agreement, budget_pence: budget }: Priced): { pence: number; agreed: boolean } {
  return agreement?.state === "accepted"
    ? { pence: agreement.amount_pence, agreed: true }
    : { pence: budget, agreed: false };
}

/** The price of a task. `worded` says visibly which one it is; otherwise only screen readers are told. */
export function TaskPrice({ task, worded = false }: { task: Priced; worded?: boolean }) {
  const { pence, agreed } = priceOf(task);
  return (
    <>
      <span className={worded ? "text-13 text-muted" : "sr-only"}>{agreed ? "Agreed" : "Budget"} </span>
      <Money pence={pence} mode={task.payment_mode} zero="Free" />
    </>
  );
}

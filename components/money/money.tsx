import { formatPence } from "#lib/kernel/money.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";

export type PaymentMode = SettlementWire["payment_mode"];

/**
 * An amount in pence, shown in pounds. Amounts in TEST always say that they are simulated, unless a column heading or caption
 * already does (`quiet`). `zero` replaces an amount of nothing, such as `Free`.
 */
export function Money({
  pence,
  mode,
  quiet = false,
  zero,
}: {
  pence: number;
  mode?: PaymentMode;
  quiet?: boolean;
  zero?: string;
}) {
  const isWord = pence === 0 && zero !== undefined;
  return (
    <span className="whitespace-nowrap">
      <data value={pence}>{isWord ? zero : formatPence(pence)}</data>
      {mode === "TEST" && !quiet && !isWord ? <span className="text-13 text-muted"> simulated</span> : null}
    </span>
  );
}

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

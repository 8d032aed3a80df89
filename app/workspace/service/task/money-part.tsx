import { MoneyPath } from "#components/money-path/money-path.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { FundLive } from "./fund-live.tsx";
import { FundTest } from "./fund-test.tsx";
import { canTry } from "./steps.ts";

/** The stages of an agreement's money, and the requester's form to fund it. */
export function MoneyPart({ task, settlement }: { task: TaskWire; settlement: SettlementWire }) {
  const canFund = canTry(task, "fund") || canTry(task, "confirm");
  return (
    <section aria-labelledby="money">
      <header className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="money" className="font-semibold text-21">
          Money
        </h2>
        <span className="inline-flex items-baseline gap-2">
          <span className="text-13 text-muted">Settlement</span>
          <StateLabel kind="settlement" state={settlement.state} />
        </span>
      </header>
      <MoneyPath settlement={settlement} />
      {settlement.state === "approved" ? (
        <p className="mt-2 max-w-measure text-13 text-muted">
          An approved settlement is not a charge and does not prove a transfer or payout.
        </p>
      ) : null}
      {canFund && task.payment_mode === "TEST" ? (
        <FundTest task={task} contractId={settlement.contract_id} amountPence={settlement.gross_pence} />
      ) : null}
      {canFund && task.payment_mode === "LIVE" ? (
        <FundLive task={task} contractId={settlement.contract_id} settlement={settlement} />
      ) : null}
    </section>
  );
}

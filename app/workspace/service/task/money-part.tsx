import { useRef, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { liveMoney, ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { MoneyPath } from "#components/money-path/money-path.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { PaymentAnswer, PaymentWire } from "#lib/payments/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { Outcome } from "../../../browser/call.ts";
import { useRequestId, useSend } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { useRehearsal } from "../frame/installation.ts";
import { canTry } from "./steps.ts";
import { refreshTask } from "./task-resource.ts";

/** The stages of an agreement's money, and the requester's form to fund it. */
export function MoneyPart({ task, settlement }: { task: TaskWire; settlement: SettlementWire }) {
  const canFund = canTry(task, "fund") || canTry(task, "confirm");
  return (
    <Part
      id="money"
      title="Money"
      className=""
      beside={
        <span className="inline-flex items-baseline gap-2">
          <span className="text-13 text-muted">Settlement</span>
          <StateLabel kind="settlement" state={settlement.state} />
        </span>
      }
    >
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
    </Part>
  );
}

/** What LIVE funding costs and pays, and the link to the checkout. */
function FundLive({
  task,
  contractId,
  settlement,
}: {
  task: TaskWire;
  contractId: string;
  settlement: SettlementWire;
}) {
  const money = liveMoney(useRehearsal());
  const requestId = useRequestId();
  const [attempt, setAttempt] = useState(1);
  const { pending, refusal, send } = useSend();
  const [checkout, setCheckout] = useState<string | null>(null);

  async function begin() {
    const outcome = await send(() =>
      write<z.output<typeof PaymentAnswer>>(
        "payments/intent.php",
        { contract_id: contractId },
        { "Idempotency-Key": requestId(`${contractId} ${attempt}`) },
      ),
    );
    if (!outcome) return;
    if (outcome.ok) setCheckout(outcome.body.payment.checkout_url ?? null);
    else if (outcome.refusal.status >= 400 && outcome.refusal.status < 500) setAttempt(attempt + 1);
    refreshTask(task.task_id);
  }

  return (
    <div className="mt-6 space-y-4">
      <Facts>
        <Fact term="You pay">
          <Money pence={settlement.gross_pence} /> <ModeBadge mode="LIVE" />
        </Fact>
        <Fact term="Provider gets">
          <Money pence={settlement.net_pence} />
        </Fact>
        <Fact term="Platform fee">
          <Money pence={settlement.fee_pence} /> ({settlement.fee_policy.bps / 100} %)
        </Fact>
      </Facts>
      <p className="max-w-measure">
        You pay by card with {money}, at the payment processor’s checkout. The agreement is funded once the processor
        confirms the payment.
      </p>
      <RefusalNote refusal={refusal} />
      <div className="flex flex-wrap items-center gap-4">
        {checkout ? (
          <a href={checkout} target="_blank" rel="noreferrer" className="button button-primary">
            Go to checkout
          </a>
        ) : (
          <Button pending={pending} onClick={begin} look="primary">
            {settlement.funding === "pending" ? "Return to checkout" : "Prepare checkout"}
          </Button>
        )}
        <p role="status" className="text-13 text-muted">
          {pending ? "Preparing…" : null}
          {checkout ? "Opens in a new tab; this one stays connected and shows when the payment is confirmed." : null}
        </p>
      </div>
    </div>
  );
}

type Answer = z.output<typeof PaymentAnswer>;

/** Simulates a TEST payment that succeeds or whose card is declined. */
function FundTest({ task, contractId, amountPence }: { task: TaskWire; contractId: string; amountPence: number }) {
  const requestId = useRequestId();
  const attempt = useRef(1);
  const { pending, refusal, send } = useSend();
  const [payment, setPayment] = useState<PaymentWire | null>(null);

  async function simulate(outcome: "succeed" | "decline") {
    const ended = await send(() => pay(outcome));
    if (!ended) return;
    if (ended.ok) {
      setPayment(ended.body.payment);
      if (ended.body.payment.status === "declined") attempt.current += 1;
    }
    refreshTask(task.task_id);
  }

  /** Retried with the same key after a lost answer, so that it is still one payment. One that is already pending is used. */
  async function pay(outcome: "succeed" | "decline"): Promise<Outcome<Answer>> {
    const pending = task.available_actions.find(({ action }) => action === "confirm")?.values.payment_id;
    if (pending) return write<Answer>("payments/confirm.php", { payment_id: pending, outcome });
    const begun = await write<Answer>(
      "payments/intent.php",
      { contract_id: contractId },
      { "Idempotency-Key": requestId(`${contractId} ${attempt.current}`) },
    );
    if (!begun.ok) return begun;
    return write<Answer>("payments/confirm.php", { payment_id: begun.body.payment.payment_id, outcome });
  }

  return (
    <div className="mt-6 space-y-4">
      <p className="max-w-measure">
        Fund the agreement with a simulated payment of {formatPence(amountPence)}. You choose whether it succeeds; no
        money moves.
      </p>
      <RefusalNote refusal={refusal} />
      {payment ? (
        <p role="status" className="flex flex-wrap items-baseline gap-x-3">
          Payment <Copyable value={payment.payment_id} label="payment ID" />{" "}
          <StateLabel kind="payment" state={payment.status} /> <span className="text-13 text-muted">simulated</span>
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button pending={pending} onClick={() => simulate("succeed")} look="primary">
          Simulate a successful payment
        </Button>
        <Button pending={pending} onClick={() => simulate("decline")}>
          Simulate a declined card
        </Button>
      </div>
    </div>
  );
}

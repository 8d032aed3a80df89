import { useRef, useState } from "react";
import type { z } from "zod";
import { Copyable } from "#components/copyable.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { PaymentAnswer, PaymentWire } from "#lib/payments/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { Outcome } from "../../../browser/call.ts";
import { useRequestId, useSend } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { refreshTask } from "./task-resource.ts";

type Answer = z.output<typeof PaymentAnswer>;

/** Simulates a TEST payment that succeeds or whose card is declined. */
export function FundTest({
  task,
  contractId,
  amountPence,
}: {
  task: TaskWire;
  contractId: string;
  amountPence: number;
}) {
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
        <button
          type="button"
          aria-disabled={pending || undefined}
          onClick={() => simulate("succeed")}
          className="button button-primary"
        >
          Simulate a successful payment
        </button>
        <button
          type="button"
          aria-disabled={pending || undefined}
          onClick={() => simulate("decline")}
          className="button"
        >
          Simulate a declined card
        </button>
      </div>
    </div>
  );
}

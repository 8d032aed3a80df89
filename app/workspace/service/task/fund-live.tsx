import { useState } from "react";
import type { z } from "zod";
import { Fact, Facts } from "#components/facts.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { liveMoney, ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import type { PaymentAnswer } from "#lib/payments/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { useRequestId, useSend } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { useRehearsal } from "../frame/installation.ts";
import { refreshTask } from "./task-resource.ts";

/** What LIVE funding costs and pays, and the link to the checkout. */
export function FundLive({
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
          <button type="button" aria-disabled={pending || undefined} onClick={begin} className="button button-primary">
            {settlement.funding === "pending" ? "Return to checkout" : "Prepare checkout"}
          </button>
        )}
        <p role="status" className="text-13 text-muted">
          {pending ? "Preparing…" : null}
          {checkout ? "Opens in a new tab; this one stays connected and shows when the payment is confirmed." : null}
        </p>
      </div>
    </div>
  );
}

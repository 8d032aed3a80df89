import { Money } from "#components/money/money.tsx";
import { MoneyPath } from "#components/money-path/money-path.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { WholeTask } from "#lib/admin/pages/tasks.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { Part } from "../admin-page.tsx";

/** How far the money has come, what holds it, and every attempt to pay. */
export function MoneyPart({ settlement, payments }: { settlement: SettlementWire; payments: WholeTask["payments"] }) {
  return (
    <Part id="money" title="Money">
      <MoneyPath settlement={settlement} />
      {payments.length > 0 ? (
        <ul aria-label="Payments" className="mt-6 border-rule border-t">
          {payments.map((payment) => (
            <li key={payment.id} className="flex flex-wrap items-baseline gap-x-4 border-rule border-b py-2">
              <code className="min-w-0 break-all">{payment.id}</code>
              <StateLabel kind="payment" state={payment.status} />
              <Money pence={payment.amountPence} mode={payment.paymentMode} />
              <Timestamp at={payment.createdAt} form="moment" />
              {payment.problem ? <span className="w-full text-13 text-muted">{payment.problem}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </Part>
  );
}

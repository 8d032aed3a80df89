import { EmptyState } from "#components/empty-state.tsx";
import { Money } from "#components/money/money.tsx";
import { TransferHolds } from "#components/money-path/transfer-holds.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { MoneyPath } from "#lib/payments/read.ts";

/** What is on record of a LIVE settlement's money beyond its figures: what holds its transfer, and what was lost of it. */
export function LiveMoney({ path: { holds, losses, checkedAt } }: { path: MoneyPath }) {
  return (
    <>
      {holds.length > 0 ? <TransferHolds holds={holds} /> : <EmptyState sentence="Nothing holds its transfer." />}
      {losses.length > 0 ? (
        <ul className="mt-6 border-rule border-t">
          {losses.map(({ id, kind, pence, status, at }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-4 border-rule border-b py-2">
              <span>
                {kind}, {status}
              </span>
              <Money pence={pence} mode="LIVE" />
              <code className="break-all">{id}</code>
              <Timestamp at={at} form="moment" />
            </li>
          ))}
        </ul>
      ) : null}
      {checkedAt ? (
        <p className="mt-3 text-13 text-muted">
          Read at Stripe <Timestamp at={checkedAt} />.
        </p>
      ) : null}
    </>
  );
}

import { Fact, Facts } from "#components/facts.tsx";
import { Money } from "#components/money/money.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { findSettlement } from "#lib/admin/pages/settlements.ts";
import { Part } from "../../admin-page.tsx";

type Found = NonNullable<Awaited<ReturnType<typeof findSettlement>>>;

/** By what names Stripe knows a LIVE settlement's money, to look it up there; and what was lost of it. */
export function AtStripe({ payments, transfer }: Pick<Found, "payments" | "transfer">) {
  const payment = payments.findLast(({ stripeSessionId }) => stripeSessionId !== null);
  return (
    <Part id="stripe" title="At Stripe">
      <Facts>
        <Name term="Checkout" id={payment?.stripeSessionId} />
        <Name term="Payment" id={payment?.stripeIntentId} />
        <Name term="Charge" id={payment?.stripeChargeId} />
        <Name term="Transfer" id={transfer?.stripeTransferId} />
        {transfer && transfer.reversedPence > 0 ? (
          <Fact term="Reversed">
            <Money pence={transfer.reversedPence} mode="LIVE" />
          </Fact>
        ) : null}
        <Name term="To account" id={transfer?.stripeAccountId} />
        <Name term="Payout" id={transfer?.payoutId} />
        {transfer?.payoutFailure ? <Fact term="Payout failed">{transfer.payoutFailure}</Fact> : null}
        {payments.flatMap(({ losses }) =>
          losses.map(({ id, kind, amountPence, status, createdAt }) => (
            <Fact key={id} term={kind === "refund" ? "Refund" : "Dispute"}>
              <span className="flex flex-wrap items-baseline gap-x-4">
                <Money pence={amountPence} mode="LIVE" />
                <span>{status.replaceAll("_", " ")}</span>
                <code className="break-all">{id}</code>
                <Timestamp at={createdAt} form="moment" />
              </span>
            </Fact>
          )),
        )}
        <Fact term="Last read">
          {payment?.checkedAt ? <Timestamp at={payment.checkedAt} form="exact" /> : "Not yet"}
        </Fact>
      </Facts>
    </Part>
  );
}

function Name({ term, id }: { term: string; id: string | null | undefined }) {
  return <Fact term={term}>{id ? <code className="break-all">{id}</code> : "None yet"}</Fact>;
}

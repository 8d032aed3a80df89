import { EmptyState } from "#components/empty-state.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { Money } from "#components/money/money.tsx";
import { MoneyPath } from "#components/money-path/money-path.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Scrolling } from "#components/table.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { findSettlement } from "#lib/admin/page-reads/settlements.ts";
import type { WholeTask } from "#lib/admin/page-reads/tasks.ts";
import type { MoneyActWire } from "#lib/admin/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";

/** The stages of a settlement's money, what holds its transfer, and every payment attempt. */
export function MoneyPart({ settlement, payments }: { settlement: SettlementWire; payments: WholeTask["payments"] }) {
  return (
    <Part ruled id="money" title="Money">
      <MoneyPath settlement={settlement} />
      {payments.length > 0 ? (
        <ul aria-label="Payments" className="mt-6 border-rule border-t">
          {payments.map((payment) => (
            <li key={payment.id} className="flex flex-wrap items-baseline gap-x-4 border-rule border-b py-2">
              <code className="min-w-0 break-all">{payment.id}</code>
              <StateLabel kind="payment" state={payment.status} />
              <Money pence={payment.amountPence} mode={payment.paymentMode} />
              <Timestamp at={payment.createdAt} form="moment" />
              <PaymentNote {...payment} />
            </li>
          ))}
        </ul>
      ) : null}
    </Part>
  );
}

function PaymentNote({ outcomeUnknown, problem }: WholeTask["payments"][number]) {
  const note = outcomeUnknown ? "Stripe has not confirmed whether it opened this checkout." : problem;
  return note ? <span className="w-full text-13 text-muted">{note}</span> : null;
}

type Found = NonNullable<Awaited<ReturnType<typeof findSettlement>>>;

/** The Stripe objects of a LIVE settlement, to look up in Stripe's dashboard, with its refunds and disputes. */
export function AtStripe({ payments, transfers }: Pick<Found, "payments" | "transfers">) {
  const payment = payments.findLast(({ stripeSessionId }) => stripeSessionId !== null);
  return (
    <Part ruled id="stripe" title="At Stripe">
      <Facts>
        <StripeId term="Checkout" id={payment?.stripeSessionId} />
        <StripeId term="Payment" id={payment?.stripeIntentId} />
        <StripeId term="Charge" id={payment?.stripeChargeId} />
        {transfers.length === 0 ? <StripeId term="Transfer" id={null} /> : null}
        {transfers.map((transfer) => (
          <Transfer key={transfer.id} transfer={transfer} />
        ))}
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
        <Fact term="Last checked">
          {payment?.checkedAt ? <Timestamp at={payment.checkedAt} form="exact" /> : "Not yet"}
        </Fact>
      </Facts>
    </Part>
  );
}

function Transfer({ transfer }: { transfer: Found["transfers"][number] }) {
  return (
    <>
      <StripeId term="Transfer" id={transfer.stripeTransferId} />
      {transfer.reversedPence > 0 ? (
        <Fact term="Reversed">
          <Money pence={transfer.reversedPence} mode="LIVE" />
        </Fact>
      ) : null}
      <StripeId term="To account" id={transfer.stripeAccountId} />
      <StripeId term="Payout" id={transfer.payoutId} />
      {transfer.payoutFailure ? <Fact term="Payout failed">{transfer.payoutFailure}</Fact> : null}
    </>
  );
}

const ACTS = { refund: "Refund", reverse_transfer: "Reversal of the transfer", send_transfer: "Transfer" } as const;
const ACT_STATES: Record<MoneyActWire["state"], string> = {
  queued: "ordered",
  sending: "Stripe has not answered yet",
  pending: "accepted by Stripe, and may still fail",
  done: "done",
  failed: "failed",
};

/** What administrators have ordered about a settlement's money, and what came of it. */
export function OrderedActs({ acts, mode }: { acts: MoneyActWire[]; mode: "TEST" | "LIVE" }) {
  if (acts.length === 0) return null;
  return (
    <ul aria-label="Ordered refunds, reversals and transfers" className="mt-6 border-rule border-t">
      {acts.map(({ act_id, kind, amount_pence, state, problem, created_at }) => (
        <li key={act_id} className="flex flex-wrap items-baseline gap-x-4 border-rule border-b py-2">
          <span>{ACTS[kind]}</span>
          <Money pence={amount_pence} mode={mode} />
          <span className={state === "failed" ? "font-semibold text-caution" : undefined}>{ACT_STATES[state]}</span>
          <Timestamp at={created_at} form="moment" />
          <code className="min-w-0 break-all">{act_id}</code>
          {problem ? <span className="w-full text-13 text-muted">{problem}</span> : null}
        </li>
      ))}
    </ul>
  );
}

function StripeId({ term, id }: { term: string; id: string | null | undefined }) {
  return <Fact term={term}>{id ? <code className="break-all">{id}</code> : "None yet"}</Fact>;
}

type Bookings = NonNullable<Awaited<ReturnType<typeof findSettlement>>>["bookings"];

/** The settlement's bookings in the ledger, each with its debits and credits. */
export function Bookings({ bookings, mode }: { bookings: Bookings; mode: "TEST" | "LIVE" }) {
  if (bookings.length === 0)
    return <EmptyState sentence="Nothing has been booked: no payment, simulated or real, has been made." />;
  return (
    <Scrolling label="Bookings">
      <table className="numbers max-w-column">
        <caption className="pb-1 text-start text-13 text-muted">
          {mode === "TEST" ? "TEST ledger, simulated." : "LIVE ledger."} Each booking balances.
        </caption>
        <thead>
          <tr>
            <th scope="col">Booking</th>
            <th scope="col" className="text-start">
              Account
            </th>
            <th scope="col">Debit</th>
            <th scope="col">Credit</th>
          </tr>
        </thead>
        {bookings.map(({ id, kind, at, entries }) => (
          <tbody key={id}>
            {entries.map(({ account, amountPence }, place) => (
              <tr key={account}>
                {place === 0 ? (
                  <th scope="rowgroup" rowSpan={entries.length} className="align-top">
                    {kind} {id}
                    <span className="block font-normal text-muted">
                      <Timestamp at={at} form="moment" />
                    </span>
                  </th>
                ) : null}
                <td className="text-start">{account.replaceAll("_", " ")}</td>
                <td>{amountPence > 0 ? <Money pence={amountPence} quiet /> : null}</td>
                <td>{amountPence < 0 ? <Money pence={-amountPence} quiet /> : null}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Scrolling>
  );
}

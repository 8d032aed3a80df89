import type { Metadata } from "next";
import { Copyable } from "#components/copyable.tsx";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge, RehearsalNote } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import type { Payment } from "#lib/db/generated/client.ts";
import { env } from "#lib/kernel/env.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { findPayment } from "#lib/payments/read.ts";
import type { SearchParams } from "../../page-query.ts";

export const metadata: Metadata = { title: "Return from Stripe", robots: { index: false, follow: false } };

const WORDS: Record<Payment["status"], { heading: string; text: string }> = {
  pending: {
    heading: "Payment not confirmed yet",
    text: "Stripe has not confirmed this payment yet. If you have paid, confirmation can take a moment. If you have not, the checkout stays open until the time below.",
  },
  succeeded: { heading: "Payment confirmed", text: "Stripe has confirmed this payment." },
  declined: { heading: "Payment failed", text: "The payment failed and you were not charged. You can try again." },
  expired: {
    heading: "Checkout expired",
    text: "The checkout expired before it was paid, and you were not charged. You can start another one.",
  },
  canceled: {
    heading: "Task cancelled",
    text: "The task was cancelled before it was paid. If money still arrives, it is recorded as due back to the payer.",
  },
};

const TOO_LATE = {
  heading: "Payment received for an ended task",
  text: "Stripe has confirmed this payment, but the task ended without being completed. The amount, less any refunds, is recorded as due back to the payer.",
};

const MISFIT = {
  heading: "Payment not accepted",
  text: "Stripe took a payment that does not match the agreement, so it funds nothing here. The service’s operator can see it and has to refund it.",
};

function wordsOf({ status, isVoid, stripeChargeId }: Payment & { isVoid: boolean }) {
  if (status === "succeeded" && isVoid) return TOO_LATE;
  return status === "declined" && stripeChargeId ? MISFIT : WORDS[status];
}

/** Stripe sends people back here. The page shows what is on record, whatever the address claims. */
export default async function ReturnPage({ searchParams }: { searchParams: SearchParams }) {
  const { payment: id } = await searchParams;
  const payment = typeof id === "string" && idPattern("pay").test(id) ? await findPayment(id) : undefined;
  if (payment) return <PaymentState payment={payment} />;
  return (
    <Page>
      <PageHeader title="Return from Stripe" />
      <p className="max-w-measure text-17">
        Returning here does not mean that the payment account is ready: Stripe decides that. The agent can check it with{" "}
        <code>GET /api/v1/payments/account.php</code>, and get a new set-up link with <code>POST</code>.
      </p>
      <NextStep />
    </Page>
  );
}

function PaymentState({ payment }: { payment: Payment & { isVoid: boolean } }) {
  const { heading, text } = wordsOf(payment);
  return (
    <Page>
      <PageHeader title={heading}>
        <p className="mt-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <StateLabel kind="payment" state={payment.status} />
          <span className="flex items-baseline gap-2">
            <Money pence={payment.amountPence} mode="LIVE" />
            <ModeBadge mode="LIVE" />
          </span>
        </p>
      </PageHeader>
      <p className="max-w-measure text-17">{text}</p>
      <RehearsalNote shown={env().stripe?.rehearsal} />
      <Facts className="mt-6">
        <TimeFact term="Started" at={payment.createdAt.toISOString()} />
        {payment.settledAt ? (
          <TimeFact
            term={payment.status === "succeeded" ? "Confirmed" : "Ended"}
            at={payment.settledAt.toISOString()}
          />
        ) : null}
        {payment.status === "pending" && payment.expiresAt ? (
          <TimeFact term="Open until" at={payment.expiresAt.toISOString()} />
        ) : null}
        {payment.refundedPence > 0 ? (
          <Fact term="Refunded">
            <Money pence={payment.refundedPence} mode="LIVE" />
          </Fact>
        ) : null}
        <Fact term="Payment ID">
          <Copyable value={payment.id} label="payment ID" />
        </Fact>
      </Facts>
      {payment.status === "pending" ? (
        <p className="mt-6">
          <a href={`/payments/return?payment=${payment.id}`} className="button">
            Check again
          </a>
        </p>
      ) : null}
      <NextStep />
    </Page>
  );
}

/** Checkouts and set-ups open in a tab of their own; the first one may be closed by now. */
function NextStep() {
  return (
    <p className="mt-6 max-w-measure">
      The tab that you came from shows what happens next. If you have closed it, continue in the{" "}
      <Link href="/workspace/service">service workspace</Link>.
    </p>
  );
}

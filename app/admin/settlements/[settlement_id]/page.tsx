import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { cache } from "react";
import { EventList } from "#components/admin/event-list.tsx";
import { Copyable } from "#components/copyable/copyable.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { readEventsAbout } from "#lib/admin/pages/audit.ts";
import { findSettlement } from "#lib/admin/pages/settlements.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { readMoneyPath } from "#lib/payments/read.ts";
import { AdminPage, Part } from "../../admin-page.tsx";
import { requireAdministrator } from "../../administrator.ts";
import { Party } from "../../tasks/task-sections.tsx";
import { Bookings } from "./bookings.tsx";
import { LiveMoney } from "./live-money.tsx";

type Props = { params: Promise<{ settlement_id: string }> };

const SETTLEMENT_ID = idPattern("stl");

const load = cache(async (settlementId: string) => {
  await requireAdministrator();
  return (SETTLEMENT_ID.test(settlementId) ? await findSettlement(settlementId) : undefined) ?? notFound();
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title } = await load((await params).settlement_id);
  return { title: `${plainLine(title)} · Settlements`, robots: { index: false } };
}

export default async function SettlementPage({ params }: Props) {
  const { settlement, title, names, payments, bookings } = await load((await params).settlement_id);
  const { payment_mode: mode, requester_public_id: requester, provider_public_id: provider } = settlement;
  const [events, path] = await Promise.all([
    readEventsAbout([settlement.settlement_id, ...payments.map(({ id }) => id)]),
    mode === "LIVE" ? readMoneyPath(settlement.settlement_id) : undefined,
  ]);
  return (
    <AdminPage
      at="/admin/settlements"
      within
      title={<UserText text={title} className="[overflow-wrap:anywhere]" />}
      facts={
        <p className="mt-2 flex flex-wrap items-baseline gap-x-4">
          <StateLabel kind="settlement" state={settlement.state} />
          <ModeBadge mode={mode} />
          <Copyable value={settlement.settlement_id} label="settlement ID" />
        </p>
      }
    >
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <Facts>
          <Fact term="Gross">
            <Money pence={settlement.gross_pence} mode={mode} />
          </Fact>
          <Fact term="Fee">
            <Money pence={settlement.fee_pence} mode={mode} />, {settlement.fee_policy.bps / 100} %
          </Fact>
          <Fact term="Net">
            <Money pence={settlement.net_pence} mode={mode} />
          </Fact>
          <Fact term="A charge">{settlement.is_charge ? "Yes: LIVE funding is confirmed" : "No"}</Fact>
          <Fact term="Requester">
            <Party publicId={requester} name={names.get(requester) ?? requester} />
          </Fact>
          <Fact term="Provider">
            <Party publicId={provider} name={names.get(provider) ?? provider} />
          </Fact>
          <Fact term="Task">
            <Link href={`/admin/tasks/${settlement.task_id}`} prefetch={false}>
              <UserText text={title} />
            </Link>
          </Fact>
        </Facts>
        <Facts>
          <Stage term="Recorded" word="yes" at={settlement.recorded_at} />
          <Stage term="Funding" word={settlement.funding} at={settlement.funded_at} />
          <Stage term="Approved" word={settlement.approved_at ? "yes" : "not yet"} at={settlement.approved_at} />
          {settlement.voided_at ? <Stage term="Void" word="yes" at={settlement.voided_at} /> : null}
          <Stage term="Transfer" word={settlement.transfer} at={settlement.transferred_at} />
          <Stage term="Payout" word={settlement.payout} at={settlement.paid_out_at} />
        </Facts>
      </div>
      <Part id="ledger" title="Ledger">
        <Bookings bookings={bookings} mode={mode} />
      </Part>
      {path ? (
        <Part id="live" title="At Stripe">
          <LiveMoney path={path} />
        </Part>
      ) : null}
      <Part id="payments" title="Payments">
        {payments.length > 0 ? (
          <ul className="border-rule border-t">
            {payments.map((payment) => (
              <li key={payment.id} className="flex flex-wrap items-baseline gap-x-4 border-rule border-b py-2">
                <code className="min-w-0 break-all">{payment.id}</code>
                <StateLabel kind="payment" state={payment.status} />
                <Money pence={payment.amountPence} mode={payment.paymentMode} />
                <Timestamp at={payment.createdAt} form="moment" />
              </li>
            ))}
          </ul>
        ) : (
          <EmptyState sentence="No payment was begun." />
        )}
      </Part>
      {events.length > 0 ? (
        <Part id="record" title="Record">
          <EventList events={events} />
        </Part>
      ) : null}
    </AdminPage>
  );
}

function Stage({ term, word, at }: { term: string; word: string; at: string | null }) {
  return (
    <Fact term={term}>
      {word.replaceAll("_", " ")}
      {at ? (
        <>
          , <Timestamp at={at} form="exact" />
        </>
      ) : null}
    </Fact>
  );
}

import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findSettlement } from "#lib/admin/page-reads/settlements.ts";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { Party } from "../../tasks/task-sections.tsx";
import { AtStripe, Bookings, MoneyPart, OrderedActs } from "../settlement-parts.tsx";
import { MoneyActs } from "./money-acts.tsx";

const { load, generateMetadata } = subjectPage(
  "settlement_id",
  "stl",
  findSettlement,
  ({ title }) => `${plainLine(title)} · Settlements`,
);

export { generateMetadata };

export default async function SettlementPage(props: SubjectProps) {
  const { ctx, found } = await load(props);
  const { settlement, title, names, payments, transfers, bookings, acts } = found;
  const { payment_mode: mode, requester_public_id: requester, provider_public_id: provider } = settlement;
  const [events, own] = await Promise.all([
    readEventsAbout([settlement.settlement_id, ...payments.map(({ id }) => id)]),
    isOwnSubject(ctx, settlement.settlement_id),
  ]);
  return (
    <AdminPage
      at="/admin/settlements"
      within
      title={<UserText text={title} />}
      marks={
        <>
          <StateLabel kind="settlement" state={settlement.state} />
          <ModeBadge mode={mode} />
        </>
      }
      id={{ value: settlement.settlement_id, label: "settlement ID" }}
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
          {settlement.refunded_pence > 0 ? (
            <Fact term="Refunded">
              <Money pence={settlement.refunded_pence} mode={mode} />
            </Fact>
          ) : null}
          {settlement.disputed_pence > 0 ? (
            <Fact term="Disputed by the bank">
              <Money pence={settlement.disputed_pence} mode={mode} />
            </Fact>
          ) : null}
          {settlement.debt_pence === undefined ? null : (
            <Fact term="Owed by the provider">
              <Money pence={settlement.debt_pence} mode={mode} />
            </Fact>
          )}
          {settlement.withheld_pence === undefined ? null : (
            <Fact term="Kept for the provider’s debts">
              <Money pence={settlement.withheld_pence} mode={mode} />
            </Fact>
          )}
          {settlement.awarded_pence === undefined ? null : (
            <Fact term="Awarded to the provider by a split">
              <Money pence={settlement.awarded_pence} mode={mode} />
            </Fact>
          )}
          <Fact term="Task">
            <Link href={`/admin/tasks/${settlement.task_id}`}>
              <UserText text={title} />
            </Link>
          </Fact>
        </Facts>
        <Facts>
          <Moment term="Recorded" at={settlement.recorded_at} />
          <Moment term="Approved" at={settlement.approved_at} />
          {settlement.voided_at ? <Moment term="Voided" at={settlement.voided_at} /> : null}
          {settlement.is_charge && settlement.state === "approved" ? (
            <Fact term="Fee statement">
              <a href={`/admin/settlements/${settlement.settlement_id}/fee-statement`} download>
                Download, to print
              </a>
            </Fact>
          ) : null}
          <Fact term="Charge">{settlement.is_charge ? "Yes: LIVE funding is confirmed" : "No"}</Fact>
          <Fact term="Requester">
            <Party publicId={requester} name={names.get(requester) ?? requester} />
          </Fact>
          <Fact term="Provider">
            <Party publicId={provider} name={names.get(provider) ?? provider} />
          </Fact>
        </Facts>
      </div>
      {/* Rendered in the same place before and after, so that the outcome of the act stays on the page. */}
      <Part ruled id="acts" title="Decisions">
        <Acts own={own}>
          <MoneyActs found={found} />
        </Acts>
      </Part>
      <MoneyPart settlement={settlement} payments={payments} />
      <OrderedActs acts={acts} mode={mode} />
      <Part ruled id="ledger" title="Ledger">
        <Bookings bookings={bookings} mode={mode} />
      </Part>
      {mode === "LIVE" ? <AtStripe payments={payments} transfers={transfers} /> : null}
      <AuditTrail events={events} />
    </AdminPage>
  );
}

function Moment({ term, at }: { term: string; at: string | null }) {
  return <Fact term={term}>{at ? <Timestamp at={at} form="exact" /> : "Not yet"}</Fact>;
}

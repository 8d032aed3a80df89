import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findSettlement } from "#lib/admin/page-reads/settlements.ts";
import { newId } from "#lib/kernel/ids.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { refundableOf, reversibleOf, sendableOf } from "#lib/settlements/acts/facts.ts";
import type { FieldSpec } from "../../../browser/read-fields.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { Party } from "../../tasks/task-sections.tsx";
import { AtStripe, Bookings, MoneyPart, OrderedActs } from "../settlement-parts.tsx";

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
  const amounts: [term: string, pence: number | undefined][] = [
    ["Net", settlement.net_pence],
    ["Refunded", settlement.refunded_pence || undefined],
    ["Disputed by the bank", settlement.disputed_pence || undefined],
    ["Owed by the provider", settlement.debt_pence],
    ["Kept for the provider’s debts", settlement.withheld_pence],
    ["Awarded to the provider by a split", settlement.awarded_pence],
  ];
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
          {amounts.map(([term, pence]) =>
            pence === undefined ? null : (
              <Fact key={term} term={term}>
                <Money pence={pence} mode={mode} />
              </Fact>
            ),
          )}
          <Fact term="Task">
            <Link href={`/admin/tasks/${settlement.task_id}`}>
              <UserText text={title} />
            </Link>
          </Fact>
        </Facts>
        <Facts>
          <TimeFact term="Recorded" at={settlement.recorded_at} />
          <TimeFact term="Approved" at={settlement.approved_at} />
          {settlement.voided_at ? <TimeFact term="Voided" at={settlement.voided_at} /> : null}
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

type Found = NonNullable<Awaited<ReturnType<typeof findSettlement>>>;

/** The acts that are possible on a settlement's money. Each asks the service what it would do before it is confirmed. */
function MoneyActs({ found: { settlement, title, names, money } }: { found: Found }) {
  const { settlement_id, provider_public_id: providerId, requester_public_id: requesterId } = settlement;
  const provider = plainLine(names.get(providerId) ?? providerId);
  const requester = plainLine(names.get(requesterId) ?? requesterId);
  const simulated = settlement.payment_mode === "TEST" ? ", simulated" : "";
  // A new ID with every rendering of the page: pressing the button twice orders one act.
  const own = () => ({ settlement_id, act_id: newId("act") });
  const amount = (pence: number): FieldSpec => ({
    name: "pence",
    label: "Amount in pounds",
    hint: `At most ${formatPence(pence)}${simulated}. Leave it empty for all of that.`,
    as: "pounds",
  });
  const [refundable, sendable, reversible] = [refundableOf(money), sendableOf(money), reversibleOf(money)];
  const isSending = money.open?.state === "sending";
  const about = `“${plainLine(title)}”`;
  const possible = [
    refundable > 0 && !isSending ? (
      <Act
        key="refund"
        act="refund"
        title="Refund"
        send="Refund"
        about={own()}
        fields={[amount(refundable)]}
        question={{ title: `Refund the payment for ${about}?` }}
        done="The refund is ordered. Its state is listed below."
      >
        <p>The payment goes back to {requester}, in part or whole. A transfer that was sent is not reversed.</p>
      </Act>
    ) : null,
    sendable > 0 && !isSending ? (
      <Act
        key="send"
        act="send_transfer"
        title="Send what is left"
        send="Send what is left"
        about={own()}
        fields={[amount(sendable)]}
        question={{ title: `Send what is left of ${about} to ${provider}?` }}
        done="The transfer is queued."
      >
        <p>
          {provider} is sent what is left after refunds, chargebacks and reversals. These, and warnings of fraud so far,
          no longer hold the transfer; everything else still does.
        </p>
      </Act>
    ) : null,
    reversible > 0 ? (
      <Act
        key="reverse"
        act="reverse_transfer"
        title="Reverse the transfer"
        send="Reverse the transfer"
        about={own()}
        fields={[amount(reversible)]}
        question={{ title: `Take the transfer for ${about} back from ${provider}?` }}
        done="The reversal is ordered. Its state is listed below."
      >
        <p>What was transferred is taken back from {provider}, in part or whole. This refunds nothing.</p>
      </Act>
    ) : null,
    settlement.transfer === "queued" && !isSending ? (
      <Act
        key="cancel"
        act="cancel_transfer"
        title="Cancel the transfer"
        send="Cancel the transfer"
        about={own()}
        question={{ title: `Cancel the transfer for ${about}?` }}
        done="The transfer is cancelled."
      >
        <p>The queued transfer to {provider} ends and is not sent. This does not move any money.</p>
      </Act>
    ) : null,
  ].filter((each) => each !== null);
  return possible.length > 0 ? possible : <p>There is nothing to decide.</p>;
}

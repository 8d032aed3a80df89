import type { ReactNode } from "react";
import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { Money } from "#lib/admin/page-reads/money.ts";
import { formatPence } from "#lib/kernel/money.ts";

/** What waits for the operator, settlement by settlement, and what Stripe kept of each charge. */
export function MoneyLists({ money: { refundsDue, chargebacks, failedPayouts, charges } }: { money: Money }) {
  return (
    <>
      <Part ruled id="refunds" title="Refunds due">
        <Rows none="No refund is due.">
          {refundsDue.map((each) => (
            <Row key={each.settlementId} {...each}>
              {each.since ? (
                <span>
                  since <Timestamp at={each.since} form="moment" />
                </span>
              ) : null}
            </Row>
          ))}
        </Rows>
      </Part>
      <Part ruled id="chargebacks" title="Chargebacks">
        <Rows none="No payment was charged back.">
          {chargebacks.map((each) => (
            <Row key={each.id} {...each}>
              <code>{each.id}</code>
              <span>{each.status.replaceAll("_", " ")}</span>
              <span>{formatPence(each.gonePence)} gone</span>
              <span>{TRANSFERRED[each.transfer] ?? `transfer ${each.transfer}`}</span>
              {each.dueBy && !each.isOver ? (
                <strong className="font-semibold text-caution">
                  answer by <Timestamp at={each.dueBy} form="moment" />
                </strong>
              ) : null}
            </Row>
          ))}
        </Rows>
      </Part>
      <Part ruled id="payouts" title="Failed payouts">
        <Rows none="No payout to a provider’s bank has failed.">
          {failedPayouts.map((each) => (
            <Row key={each.settlementId} {...each}>
              <AgentLabel publicId={each.providerId} name={each.providerName} />
              {each.failure ? <UserText text={each.failure} /> : null}
              {each.at ? <Timestamp at={each.at} form="moment" /> : null}
            </Row>
          ))}
        </Rows>
        {failedPayouts.length > 0 ? (
          <p className="mt-3 max-w-measure text-13 text-muted">
            The provider has to correct its bank details at Stripe; Stripe then pays out again. The provider sees this
            in its workspace.
          </p>
        ) : null}
      </Part>
      <Part ruled id="charges" title="Stripe’s fees per charge">
        <Rows none="No charge yet.">
          {charges.map((each) => (
            <Row key={each.settlementId} {...each}>
              <span>
                {each.fee === null
                  ? "Stripe’s fee is not known yet"
                  : `Stripe kept ${formatPence(each.fee)} (${percent(each.fee, each.pence)})`}
              </span>
              <span>
                of a platform fee of {formatPence(each.platformFee)}
                {each.fee !== null && each.fee > each.platformFee ? (
                  <strong className="font-semibold text-caution"> – a loss</strong>
                ) : null}
              </span>
              {each.at ? <Timestamp at={each.at} form="moment" /> : null}
            </Row>
          ))}
        </Rows>
        <p className="mt-3 text-13 text-muted">The newest 50 charges.</p>
      </Part>
    </>
  );
}

const TRANSFERRED: Record<string, string> = {
  none: "nothing transferred",
  sent: "the provider has the money",
};

const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`;

function Rows({ none, children }: { none: string; children: ReactNode[] }) {
  return children.length === 0 ? (
    <p className="text-muted">{none}</p>
  ) : (
    <ul className="border-ink border-t">{children}</ul>
  );
}

function Row({
  settlementId,
  title,
  pence,
  children,
}: {
  settlementId: string;
  title: string;
  pence: number;
  children: ReactNode;
}) {
  return (
    <li className="row admin-row">
      <Link href={`/admin/settlements/${settlementId}`} className="row-link admin-title">
        <UserText text={title} />
      </Link>
      <div className="admin-facts">{children}</div>
      <span className="admin-marks font-semibold">{formatPence(pence)}</span>
    </li>
  );
}

import { subjectHref } from "#components/admin/audit-words.ts";
import { EmptyState } from "#components/empty-state.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { ColumnHeads, Scrolling } from "#components/table.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { readReconciliations } from "#lib/payments/read.ts";
import { type DifferenceKind, openDifferences } from "#lib/payments/reconciliation/differences.ts";
import { AdminPage, adminMetadata, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Reconciliation");

const KINDS: Record<DifferenceKind, string> = {
  cash: "Amount received",
  payment_misfit: "Payment that does not match",
  double_payment: "Second charge for one payment",
  unknown_transfer: "Unrequested transfer",
  transfer_missing: "Transfer missing at Stripe",
  payment_missing: "Payment missing at Stripe",
  charge_pending: "Charge not in Stripe’s balance",
  double_act: "Act that Stripe carried out twice",
  unreadable: "Object that Stripe refuses to return",
  shortfall: "Balance that does not cover what is owed",
  balance: "Whole balance",
  payout_schedule: "Payouts that take what is owed",
  held_long: "Money held for long",
  refund_due: "Refund owed to a requester",
  chargeback: "Chargeback after the transfer",
  account_creation: "Account that Stripe refuses to create",
  misconfigured: "Call that Stripe refuses to our key",
};
const KIND_OF: Record<string, string> = { stl: "settlement", pay: "payment" };
const OURS = /\b((?:stl|pay)_[1-9A-HJ-NP-Za-km-z]{22})\b/;
const SHOWN = 500;

export default async function ReconciliationPage() {
  await requireAdministrator();
  const [differences, runs] = await Promise.all([openDifferences(SHOWN), readReconciliations()]);
  return (
    <AdminPage
      at="/admin/reconciliation"
      title="Reconciliation"
      lead="Every ten minutes the ledger is compared with Stripe. Differences, and refunds that you have to make by hand, are listed here until they are settled."
    >
      <Part ruled id="differences" title="Open differences">
        {differences.length > 0 ? (
          <>
            <ul className="border-ink border-t">
              {differences.map((difference) => (
                <li key={String(difference.id)} className="admin-row border-rule border-b">
                  <p className="admin-title">
                    {KINDS[difference.kind as DifferenceKind] ?? difference.kind}{" "}
                    <span className="break-all font-normal font-mono text-13">
                      <WithLinks text={difference.subjectId} />
                    </span>
                  </p>
                  <div className="admin-facts">
                    <span>Ledger: {difference.books}</span>
                    <span>
                      Stripe: <WithLinks text={difference.stripe} />
                    </span>
                    <p className="w-full max-w-measure text-15 text-ink">{difference.remedy}</p>
                  </div>
                  <p className="admin-marks text-muted">
                    {difference.dueBy ? (
                      <span>
                        answer by <Timestamp at={difference.dueBy} form="moment" />
                      </span>
                    ) : null}
                    <span>
                      since <Timestamp at={difference.foundAt} form="moment" />
                    </span>
                    <span>
                      seen <Timestamp at={difference.seenAt} />
                    </span>
                  </p>
                </li>
              ))}
            </ul>
            {differences.length === SHOWN ? <p className="mt-3">Only the oldest {SHOWN} are shown.</p> : null}
          </>
        ) : (
          <EmptyState sentence="No open differences between the ledger and Stripe." />
        )}
      </Part>
      <Part ruled id="runs" title="Latest runs">
        {runs.length > 0 ? (
          <Runs runs={runs} />
        ) : (
          <EmptyState sentence="No runs yet. Runs begin with the first LIVE payment." />
        )}
      </Part>
    </AdminPage>
  );
}

/** Text in which the IDs of our settlements and payments are links to their pages. */
function WithLinks({ text }: { text: string }) {
  return text.split(OURS).map((piece, place) => {
    const kind = place % 2 === 1 ? KIND_OF[piece.slice(0, 3)] : undefined;
    if (!kind) return piece;
    return (
      <Link key={piece} href={subjectHref(kind, piece)}>
        <code className="break-all">{piece}</code>
      </Link>
    );
  });
}

function Runs({ runs }: { runs: Awaited<ReturnType<typeof readReconciliations>> }) {
  return (
    <Scrolling label="Reconciliation runs">
      <table className="numbers max-w-column">
        <ColumnHeads names={["Started", "Finished", "Compared", "Differences"]} />
        <tbody>
          {runs.map((run) => (
            <tr key={String(run.id)}>
              <th scope="row">
                <Timestamp at={run.startedAt} form="moment" />
              </th>
              <td>{run.finishedAt ? <Timestamp at={run.finishedAt} form="moment" /> : "did not finish"}</td>
              <td>{run.checked.toLocaleString("en-GB")}</td>
              <td>{run.differences.toLocaleString("en-GB")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

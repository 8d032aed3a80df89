import Link from "next/link";
import { subjectHref } from "#components/admin/record-words.ts";
import { EmptyState } from "#components/empty-state.tsx";
import { Scrolling } from "#components/scrolling.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { readReconciliations } from "#lib/payments/read.ts";
import { openDifferences } from "#lib/payments/reconciliation/differences.ts";
import { AdminPage, Part } from "../admin-page.tsx";
import { adminMetadata, requireAdministrator } from "../administrator.ts";

export const generateMetadata = adminMetadata("Reconciliation");

const KINDS: Record<string, string> = {
  cash: "What was taken in",
  payment_misfit: "A payment that does not fit",
  unknown_transfer: "A transfer that nobody asked for",
  transfer_missing: "A transfer that Stripe does not know",
  payment_missing: "A payment that Stripe does not know",
  unreadable: "What Stripe refuses to say",
  refund_due: "Money due to a requester",
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
      lead="Every ten minutes the books are held against Stripe. What does not agree stands here until it does; so does money that a person has to send back."
    >
      <Part id="differences" title="Open">
        {differences.length > 0 ? (
          <>
            <ul className="border-ink border-t">
              {differences.map((difference) => (
                <li key={String(difference.id)} className="admin-row border-rule border-b">
                  <p className="admin-title">
                    {KINDS[difference.kind] ?? difference.kind}{" "}
                    <span className="break-all font-normal font-mono text-13">
                      <Linked text={difference.subjectId} />
                    </span>
                  </p>
                  <div className="admin-facts">
                    <span>Books: {difference.books}</span>
                    <span>
                      Stripe: <Linked text={difference.stripe} />
                    </span>
                    <p className="w-full max-w-measure text-15 text-ink">{difference.remedy}</p>
                  </div>
                  <p className="admin-marks text-muted">
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
            {differences.length === SHOWN ? <p className="mt-3">The oldest {SHOWN} are shown.</p> : null}
          </>
        ) : (
          <EmptyState sentence="The books and Stripe agree, as far as they were compared." />
        )}
      </Part>
      <Part id="runs" title="The last runs">
        {runs.length > 0 ? (
          <Runs runs={runs} />
        ) : (
          <EmptyState sentence="Nothing was compared yet: there is no LIVE payment." />
        )}
      </Part>
    </AdminPage>
  );
}

/** What is ours in a line of findings leads to where the administrator reads of it. */
function Linked({ text }: { text: string }) {
  return text.split(OURS).map((piece, place) => {
    const kind = place % 2 === 1 ? KIND_OF[piece.slice(0, 3)] : undefined;
    if (!kind) return piece;
    return (
      <Link key={piece} href={subjectHref(kind, piece)} prefetch={false}>
        <code className="break-all">{piece}</code>
      </Link>
    );
  });
}

function Runs({ runs }: { runs: Awaited<ReturnType<typeof readReconciliations>> }) {
  return (
    <Scrolling label="Runs of the reconciliation">
      <table className="numbers max-w-column">
        <thead>
          <tr>
            <th scope="col">Begun</th>
            <th scope="col">Ended</th>
            <th scope="col">Compared</th>
            <th scope="col">Differences</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={String(run.id)}>
              <th scope="row">
                <Timestamp at={run.startedAt} form="moment" />
              </th>
              <td>{run.finishedAt ? <Timestamp at={run.finishedAt} form="moment" /> : "did not end"}</td>
              <td>{run.checked.toLocaleString("en-GB")}</td>
              <td>{run.differences.toLocaleString("en-GB")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

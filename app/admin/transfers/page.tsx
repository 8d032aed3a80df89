import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { TransferHolds } from "#components/money-path/money-path.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { TransfersQuery } from "#lib/admin/schema.ts";
import { decodeAgeCursor, encodeAgeCursor } from "#lib/kernel/cursor.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { type HeldTransfer, type LatestSolvency, readLatestSolvency, readOpenTransfers } from "#lib/payments/read.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, PAGE_SIZE, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Transfers");

export default async function TransfersPage(props: ListProps) {
  const { query } = await readList(TransfersQuery, props);
  const found = query.input ? await readOpenTransfers(PAGE_SIZE + 1, query.input.cursor) : undefined;
  const rows = found?.slice(0, PAGE_SIZE) ?? [];
  const last = found && found.length > PAGE_SIZE ? rows.at(-1) : undefined;
  const solvency = await readLatestSolvency();
  return (
    <ListPage
      at="/admin/transfers"
      title="Transfers"
      lead="LIVE transfers to providers that have not been sent yet, oldest first, each with what holds it. A held transfer is checked again as soon as a hold is lifted."
      query={query}
      above={solvency ? <Balance solvency={solvency} /> : null}
      found={{ rows, nextCursor: last ? encodeAgeCursor(last.place) : null }}
      cursor={(text) => decodeAgeCursor(text) !== undefined}
      empty="No transfers are waiting."
    >
      {(transfer) => <TransferRow key={transfer.settlementId} transfer={transfer} />}
    </ListPage>
  );
}

/** The platform's balance at Stripe against what is owed out of it, at the last reconciliation. */
function Balance({ solvency }: { solvency: LatestSolvency }) {
  const { availablePence, pendingPence, owedPence, shortfallPence, at } = solvency;
  return (
    <p className="mb-6 max-w-measure">
      <Timestamp at={at} form="moment" />: the balance at Stripe has {formatPence(availablePence)} available and{" "}
      {formatPence(pendingPence)} pending; {formatPence(owedPence)} is owed to providers and requesters.{" "}
      {shortfallPence > 0 ? (
        <strong className="text-caution">
          {formatPence(shortfallPence)} is missing. Add it to the balance, and keep the platform’s payouts on manual.
        </strong>
      ) : (
        "The balance covers it."
      )}
    </p>
  );
}

function TransferRow({ transfer }: { transfer: HeldTransfer }) {
  const { settlementId, title, netPence, queuedAt, sending, holds } = transfer;
  return (
    <li className="row admin-row">
      <Link href={`/admin/settlements/${settlementId}`} className="row-link admin-title">
        <UserText text={title} />
      </Link>
      <div className="admin-facts">
        <AgentLabel publicId={transfer.requesterId} name={transfer.requesterName} />
        <span aria-hidden="true">→</span>
        <AgentLabel publicId={transfer.providerId} name={transfer.providerName} />
        <code>{settlementId}</code>
        {holds.length > 0 ? (
          <div className="w-full">
            <TransferHolds holds={holds} />
          </div>
        ) : (
          <span className="w-full">
            {sending ? "Being sent to Stripe." : "Nothing holds it. It will be sent in a moment."}
          </span>
        )}
      </div>
      <span className="admin-marks">
        {holds.length > 0 ? <span className="font-semibold text-caution">Held</span> : null}
        <Timestamp at={queuedAt} form="moment" />
        <Money pence={netPence} mode="LIVE" />
        <ModeBadge mode="LIVE" />
      </span>
    </li>
  );
}

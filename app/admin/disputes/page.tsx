import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedDispute, listDisputes } from "#lib/admin/page-reads/disputes.ts";
import { DisputesQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";
import { resolutionWords } from "./[dispute_id]/resolution-acts.tsx";

export const generateMetadata = adminMetadata("Disputes");

const PATH = "/admin/disputes";
const STATES = optionsOf({ open: "Open, oldest first", resolved: "Resolved, newest first" });

export default async function DisputesPage(props: ListProps) {
  const { query } = await readList(DisputesQuery, props);
  return (
    <ListPage
      at={PATH}
      title="Disputes"
      lead="An open dispute blocks completion and transfer until you resolve it."
      query={query}
      filters={[{ name: "state", label: "State", options: STATES }]}
      found={query.input && (await listDisputes(query.input))}
      cursor="dsp"
      empty="There are no open disputes."
    >
      {(dispute) => <DisputeRow key={dispute.id} dispute={dispute} />}
    </ListPage>
  );
}

function DisputeRow({ dispute }: { dispute: ListedDispute }) {
  const { id, title, openedByName, reason, state, resolution, createdAt, amountPence, paymentMode } = dispute;
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        <UserText text={title} />
      </Link>
      <span className="admin-facts">
        <span>
          <UserText text={openedByName} />: “
          <UserText text={quoteOf(reason, 160)} />”
        </span>
        <Timestamp at={createdAt} />
      </span>
      <span className="admin-marks">
        <StateLabel kind="dispute" state={state} />
        {resolution ? <span>{resolutionWords(resolution)}</span> : null}
        {amountPence === null ? null : <Money pence={amountPence} mode={paymentMode} zero="Free" />}
        <ModeBadge mode={paymentMode} />
      </span>
    </li>
  );
}

import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedDispute, listDisputes } from "#lib/admin/page-reads/disputes.ts";
import { DisputesQuery } from "#lib/admin/schema.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { FilterChoice, FilteredList } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Disputes");

const PATH = "/admin/disputes";
const DISPUTE_ID = idPattern("dsp");
const STATES = [
  { value: "open", label: "Open, oldest first" },
  { value: "resolved", label: "Resolved, newest first" },
];

export default async function DisputesPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(DisputesQuery, searchParams, ["state"]);
  const found = query.input && (await listDisputes(query.input));
  return (
    <AdminPage at={PATH} title="Disputes" lead="An open dispute blocks completion and transfer until you resolve it.">
      <FilteredList
        query={query}
        path={PATH}
        filters={<FilterChoice query={query} name="state" label="State" options={STATES} />}
        found={found && { items: found.disputes, next: found.nextCursor }}
        isCursor={(text) => DISPUTE_ID.test(text)}
        empty={{ sentence: "There are no open disputes." }}
      >
        {(disputes) => (
          <ul className="border-ink border-t">
            {disputes.map((dispute) => (
              <DisputeRow key={dispute.id} dispute={dispute} />
            ))}
          </ul>
        )}
      </FilteredList>
    </AdminPage>
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
        {resolution ? <span>{resolution === "split" ? "by a split" : `for the ${resolution}`}</span> : null}
        {amountPence === null ? null : <Money pence={amountPence} mode={paymentMode} zero="Free" />}
        <ModeBadge mode={paymentMode} />
      </span>
    </li>
  );
}

import { Link } from "#components/link.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedOwner, listOwners } from "#lib/admin/page-reads/owners.ts";
import { OwnersQuery } from "#lib/admin/schema.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { FilterChoice, FilteredList } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Owners");

const PATH = "/admin/owners";
const OWNER_ID = idPattern("own");
const ROLES = [
  { value: "", label: "Any role" },
  { value: "owner", label: "Owners" },
  { value: "administrator", label: "Administrators" },
];
const STATES = [
  { value: "", label: "Any state" },
  { value: "active", label: "Active" },
  { value: "disabled", label: "Disabled" },
];

export default async function OwnersPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(OwnersQuery, searchParams, ["q", "role", "state"]);
  const found = query.input && (await listOwners(query.input));
  return (
    <AdminPage at={PATH} title="Owners" lead="People’s accounts, newest first.">
      <FilteredList
        query={query}
        path={PATH}
        label="E-mail address, name or owner ID"
        filters={
          <>
            <FilterChoice query={query} name="role" label="Role" options={ROLES} />
            <FilterChoice query={query} name="state" label="State" options={STATES} />
          </>
        }
        found={found && { items: found.owners, next: found.nextCursor }}
        isCursor={(text) => OWNER_ID.test(text)}
        noMatch="No accounts match."
        empty={{ sentence: "There are no accounts yet." }}
      >
        {(owners) => (
          <ul className="border-ink border-t">
            {owners.map((owner) => (
              <OwnerRow key={owner.id} owner={owner} />
            ))}
          </ul>
        )}
      </FilteredList>
    </AdminPage>
  );
}

function OwnerRow({ owner }: { owner: ListedOwner }) {
  const { id, name, email, role, createdAt, disabledAt, hasSecondFactor, sessions, agents } = owner;
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        <UserText text={name} />
      </Link>
      <span className="admin-facts">
        <span className="[overflow-wrap:anywhere]">{email}</span>
        <span>
          {agents} {agents === 1 ? "agent" : "agents"}
        </span>
        <span>
          {sessions} {sessions === 1 ? "session" : "sessions"}
        </span>
        <Timestamp at={createdAt} />
      </span>
      <span className="admin-marks">
        {disabledAt ? <span className="font-semibold text-danger">Disabled</span> : null}
        {role === "administrator" ? <span className="font-semibold">Administrator</span> : null}
        {hasSecondFactor ? <span>Second factor</span> : null}
      </span>
    </li>
  );
}

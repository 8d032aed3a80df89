import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedOwner, listOwners } from "#lib/admin/page-reads/owners.ts";
import { OwnersQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Owners");

const PATH = "/admin/owners";
const ROLES = optionsOf({ "": "Any role", owner: "Owners", administrator: "Administrators" });
const STATES = optionsOf({ "": "Any state", active: "Active", disabled: "Disabled" });

export default async function OwnersPage(props: ListProps) {
  const { query } = await readList(OwnersQuery, props);
  return (
    <ListPage
      at={PATH}
      title="Owners"
      lead="People’s accounts, newest first."
      query={query}
      search="E-mail address, name or owner ID"
      filters={[
        { name: "role", label: "Role", options: ROLES },
        { name: "state", label: "State", options: STATES },
      ]}
      found={query.input && (await listOwners(query.input))}
      cursor="own"
      noMatch="No accounts match."
      empty="There are no accounts yet."
    >
      {(owner) => <OwnerRow key={owner.id} owner={owner} />}
    </ListPage>
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

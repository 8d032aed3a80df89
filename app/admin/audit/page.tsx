import { EventList } from "#components/admin/event-list.tsx";
import { optionsOf } from "#components/form/options.ts";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { type ACTOR_KINDS, AuditQuery } from "#lib/admin/schema.ts";
import { FilteredList } from "../../list-parts.tsx";
import { AdminPage, adminMetadata } from "../admin-page.tsx";
import { Filters, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Audit trail");

const PATH = "/admin/audit";
const KIND_WORDS: Record<(typeof ACTOR_KINDS)[number], string> = {
  administrator: "Administrators",
  owner: "Owners",
  service: "Service identities",
  profile: "Profiles",
  system: "The service itself",
  visitor: "Visitors",
};
const KINDS = optionsOf({ "": "Anyone", ...KIND_WORDS });
const FILTERS = [
  { name: "kind", label: "Actor type", options: KINDS },
  { name: "actor", label: "Actor: ID, e-mail or name" },
  { name: "action", label: "Action" },
  { name: "subject", label: "Subject ID" },
  { name: "from", label: "From day" },
  { name: "to", label: "To day" },
];

export default async function AuditPage(props: ListProps) {
  const { query } = await readList(AuditQuery, props);
  const found = query.input && (await listEvents(query.input));
  return (
    <AdminPage at={PATH} title="Audit trail" lead="Who did what, newest first. Entries cannot be changed or deleted.">
      <FilteredList
        query={query}
        path={PATH}
        filters={<Filters query={query} filters={FILTERS} />}
        found={found && { items: found.rows, next: found.nextCursor }}
        empty={{ sentence: "The audit trail is empty." }}
      >
        {(events) => <EventList events={events} />}
      </FilteredList>
    </AdminPage>
  );
}

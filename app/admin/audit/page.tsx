import { EventList } from "#components/admin/event-list.tsx";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { ACTOR_KINDS, AuditQuery } from "#lib/admin/schema.ts";
import { FilterChoice, FilteredList, FilterText } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";

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
const KINDS = [{ value: "", label: "Anyone" }, ...ACTOR_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))];

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(AuditQuery, searchParams, ["kind", "actor", "action", "subject", "from", "to"]);
  const found = query.input && (await listEvents(query.input));
  return (
    <AdminPage at={PATH} title="Audit trail" lead="Who did what, newest first. Entries cannot be changed or deleted.">
      <FilteredList
        query={query}
        path={PATH}
        filters={
          <>
            <FilterChoice query={query} name="kind" label="Actor type" options={KINDS} />
            <FilterText query={query} name="actor" label="Actor: ID, e-mail or name" />
            <FilterText query={query} name="action" label="Action" />
            <FilterText query={query} name="subject" label="Subject ID" />
            <FilterText query={query} name="from" label="From day" />
            <FilterText query={query} name="to" label="To day" />
          </>
        }
        found={found && { items: found.events, next: found.nextCursor }}
        empty={{ sentence: "The audit trail is empty." }}
      >
        {(events) => <EventList events={events} />}
      </FilteredList>
    </AdminPage>
  );
}

import { EventList } from "#components/admin/event-list.tsx";
import { RefusedQuery } from "#components/refused-query.tsx";
import { SearchChoice, SearchText } from "#components/search-form.tsx";
import { listEvents } from "#lib/admin/pages/audit.ts";
import { ACTOR_KINDS, AuditQuery } from "#lib/admin/schema.ts";
import { problemOf, type SearchParams } from "../../page-query.ts";
import { AdminPage } from "../admin-page.tsx";
import { adminMetadata, requireAdministrator } from "../administrator.ts";
import { FilterForm } from "../filter-form.tsx";
import { type ListQuery, readListQuery } from "../list-query.ts";
import { Results } from "../results.tsx";

export const generateMetadata = adminMetadata("Record");

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
    <AdminPage at={PATH} title="Record" lead="Who did what to what, newest first. Nobody can change it.">
      <Filters query={query} />
      {found ? (
        <Results
          path={PATH}
          query={query}
          count={found.events.length}
          nextCursor={found.nextCursor}
          nothing="Nothing has been done yet."
        >
          <EventList events={found.events} />
        </Results>
      ) : null}
      {query.problems ? <RefusedQuery problems={query.problems} href={PATH} /> : null}
    </AdminPage>
  );
}

function Filters({ query }: { query: ListQuery<unknown> }) {
  const text = (name: string, label: string) => (
    <SearchText name={name} label={label} value={query.given[name]} error={problemOf(query, name)} />
  );
  return (
    <FilterForm action={PATH} query={query}>
      <SearchChoice
        name="kind"
        label="By whom"
        value={query.given.kind}
        error={problemOf(query, "kind")}
        options={KINDS}
      />
      {text("actor", "Actor: ID, e-mail or name")}
      {text("action", "Action")}
      {text("subject", "Subject: ID")}
      {text("from", "From day")}
      {text("to", "To day")}
    </FilterForm>
  );
}

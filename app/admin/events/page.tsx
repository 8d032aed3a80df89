import Link from "next/link";
import { RefusedQuery } from "#components/refused-query.tsx";
import { SearchChoice } from "#components/search-form.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { EventId, EventsQuery } from "#lib/admin/schema.ts";
import { readInbox } from "#lib/payments/read.ts";
import { problemOf, type SearchParams } from "../../page-query.ts";
import { AdminPage } from "../admin-page.tsx";
import { adminMetadata, requireAdministrator } from "../administrator.ts";
import { FilterForm } from "../filter-form.tsx";
import { readListQuery } from "../list-query.ts";
import { Results } from "../results.tsx";
import { EVENT_WORDS, EventLabel } from "./event-label.tsx";

export const generateMetadata = adminMetadata("Webhooks");

const PATH = "/admin/events";
const STATES = [
  { value: "", label: "All" },
  ...Object.entries(EVENT_WORDS).map(([value, { word }]) => ({ value, label: word })),
];

export default async function EventsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(EventsQuery, searchParams, ["state"]);
  const { state, cursor, limit } = query.input ?? {};
  const found =
    query.input && (await readInbox({ limit, ...(state ? { state } : {}), ...(cursor ? { before: cursor } : {}) }));
  return (
    <AdminPage
      at={PATH}
      title="Webhooks"
      lead="What Stripe told of LIVE payments, newest first. What an event says is not believed: the thing itself is read at Stripe."
    >
      <FilterForm action={PATH} query={query}>
        <SearchChoice
          name="state"
          label="Which"
          value={query.given.state}
          error={problemOf(query, "state")}
          options={STATES}
        />
      </FilterForm>
      {found ? (
        <Results
          path={PATH}
          query={query}
          count={found.events.length}
          nextCursor={found.nextBefore}
          isCursor={(text) => EventId.safeParse(text).success}
          nothing="Stripe has told nothing yet. Without LIVE it never does."
        >
          <ul className="border-ink border-t">
            {found.events.map((event) => (
              <li key={event.id} className="row admin-row">
                <Link href={`${PATH}/${event.id}`} prefetch={false} className="row-link admin-title">
                  {event.type}
                </Link>
                <span className="admin-facts">
                  <code>{event.id}</code>
                  {event.objectId ? <code>{event.objectId}</code> : null}
                  {event.problem ? <span className="w-full">{event.problem}</span> : null}
                </span>
                <span className="admin-marks">
                  <EventLabel state={event.state} />
                  <Timestamp at={event.receivedAt} form="moment" />
                </span>
              </li>
            ))}
          </ul>
        </Results>
      ) : null}
      {query.problems ? <RefusedQuery problems={query.problems} href={PATH} /> : null}
    </AdminPage>
  );
}

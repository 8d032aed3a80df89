import { Link } from "#components/link.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { EventId, EventsQuery } from "#lib/admin/schema.ts";
import { listStripeEvents } from "#lib/payments/read.ts";
import { FilterChoice, FilteredList, statesOf } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Stripe events");

const PATH = "/admin/events";
const STATES = statesOf("event", "All");

export default async function EventsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(EventsQuery, searchParams, ["state"]);
  const { state, cursor, limit } = query.input ?? {};
  const found =
    query.input &&
    (await listStripeEvents({ limit, ...(state ? { state } : {}), ...(cursor ? { before: cursor } : {}) }));
  return (
    <AdminPage
      at={PATH}
      title="Stripe events"
      lead="Webhook deliveries from Stripe about LIVE payments, newest first. An event is only a hint: the object that it names is read from Stripe."
    >
      <FilteredList
        query={query}
        path={PATH}
        filters={<FilterChoice query={query} name="state" label="State" options={STATES} />}
        found={found && { items: found.events, next: found.nextBefore }}
        isCursor={(text) => EventId.safeParse(text).success}
        empty={{ sentence: "Stripe has not delivered any events yet. It only does so when LIVE is enabled." }}
      >
        {(events) => (
          <ul className="border-ink border-t">
            {events.map((event) => (
              <li key={event.id} className="row admin-row">
                <Link href={`${PATH}/${event.id}`} className="row-link admin-title">
                  {event.type}
                </Link>
                <span className="admin-facts">
                  <code>{event.id}</code>
                  {event.objectId ? <code>{event.objectId}</code> : null}
                  {event.problem ? <span className="w-full">{event.problem}</span> : null}
                </span>
                <span className="admin-marks">
                  <StateLabel kind="event" state={event.state} />
                  <Timestamp at={event.receivedAt} form="moment" />
                </span>
              </li>
            ))}
          </ul>
        )}
      </FilteredList>
    </AdminPage>
  );
}

import { Link } from "#components/link.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { statesOf } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { EventId, EventsQuery } from "#lib/admin/schema.ts";
import { listStripeEvents } from "#lib/payments/read.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Stripe events");

const PATH = "/admin/events";

export default async function EventsPage(props: ListProps) {
  const { query } = await readList(EventsQuery, props);
  const { state, cursor, limit } = query.input ?? {};
  const found =
    query.input &&
    (await listStripeEvents({ limit, ...(state ? { state } : {}), ...(cursor ? { before: cursor } : {}) }));
  return (
    <ListPage
      at={PATH}
      title="Stripe events"
      lead="Webhook deliveries from Stripe about LIVE payments, newest first. An event is only a hint: the object that it names is read from Stripe."
      query={query}
      filters={[{ name: "state", label: "State", options: statesOf("event", "All") }]}
      found={found && { rows: found.events, nextCursor: found.nextBefore }}
      cursor={(text) => EventId.safeParse(text).success}
      empty="Stripe has not delivered any events yet. It only does so when LIVE is enabled."
    >
      {(event) => (
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
      )}
    </ListPage>
  );
}

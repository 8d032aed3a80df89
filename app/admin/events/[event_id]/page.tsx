import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { EventId } from "#lib/admin/schema.ts";
import { findStripeEvent } from "#lib/payments/read.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";

const { load, generateMetadata } = subjectPage(
  "event_id",
  EventId,
  findStripeEvent,
  ({ type }) => `${type} · Stripe events`,
);

export { generateMetadata };

export default async function EventPage(props: SubjectProps) {
  const { found: event } = await load(props);
  return (
    <AdminPage at="/admin/events" within title={event.type}>
      <Facts>
        <Fact term="State">
          <StateLabel kind="event" state={event.state} />
        </Fact>
        {event.problem ? <Fact term="Problem">{event.problem}</Fact> : null}
        <Fact term="Event">
          <code className="break-all">{event.id}</code>
        </Fact>
        <Fact term="Object">{event.objectId ? <code className="break-all">{event.objectId}</code> : "None"}</Fact>
        <Fact term="Account">
          {event.account ? <code className="break-all">{event.account}</code> : "The platform’s account"}
        </Fact>
        <Fact term="Mode">{event.livemode ? "Stripe’s live mode" : "Stripe’s test mode"}</Fact>
        <Fact term="Deliveries">{event.deliveries}</Fact>
        <Fact term="Attempts">{event.attempts}</Fact>
        <TimeFact term="Created" at={event.createdAt} />
        <TimeFact term="Received" at={event.receivedAt} />
        {event.processedAt ? <TimeFact term="Processed" at={event.processedAt} /> : null}
      </Facts>
      <Part ruled id="acts" title="Decisions">
        <Acts>
          <Act
            act="retry_event"
            title="Process the event again"
            send="Process this event again"
            about={{ event_id: event.id }}
            done="The event will be processed again in a moment."
          >
            <p>
              The object that the event names is read from Stripe again, and the ledger is brought up to date with it.
              Nothing is booked twice.
            </p>
          </Act>
        </Acts>
      </Part>
      <AuditTrail events={await readEventsAbout([event.id])} />
    </AdminPage>
  );
}

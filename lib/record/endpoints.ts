import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { pollEvents } from "./poll.ts";
import { EventsAnswer, EventsInput } from "./schema.ts";
import { streamEvents } from "./stream.ts";

const events = defineEndpoint({
  method: "GET",
  path: "/api/v1/events.php",
  tag: "Events",
  summary: "Follow what happens",
  description:
    "Events of the caller, oldest first, in one order that never changes. A management token gets those of its identity and of its community profile, a community key those of its profile. Each event is for those whom it concerned when it happened. Other people's listed tasks are not here; jobs/list.php has them. With `Accept: text/event-stream` the answer is a stream of server-sent events: id is the position, event the type, data the event. Last-Event-ID wins over after. A comment follows after 15 seconds of silence. The stream ends after 10 minutes; open it again with the last id. One credential may have 2 streams.",
  auth: "agent",
  scope: "read",
  input: EventsInput,
  output: EventsAnswer,
  status: 200,
  untrusted: true,
  errors: ["profile_cannot_participate", "cursor_expired"],
  stream: streamEvents,
  run: pollEvents,
});

export const recordEndpoints: readonly Endpoint[] = [events];

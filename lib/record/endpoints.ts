import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { pollEvents } from "./poll.ts";
import { EventsAnswer, EventsInput } from "./schema.ts";

const events = defineEndpoint({
  method: "GET",
  path: "/api/v1/events.php",
  tag: "Events",
  summary: "Follow what happens",
  description:
    "Events of the caller, oldest first, in one order that never changes. A management token gets those of its identity and of its community profile, a community key those of its profile. Each event is for those whom it concerned when it happened. Other people's listed tasks are not here; jobs/list.php has them.",
  auth: "agent",
  input: EventsInput,
  output: EventsAnswer,
  status: 200,
  untrusted: true,
  errors: ["profile_cannot_participate", "cursor_expired"],
  run: pollEvents,
});

export const recordEndpoints: readonly Endpoint[] = [events];

import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { pollEvents } from "./poll.ts";
import { EventsAnswer, EventsInput, WaitAnswer, WaitInput } from "./schema.ts";
import { streamEvents } from "./stream.ts";
import { waitForTask } from "./wait.ts";

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

const jobsWait = defineEndpoint({
  method: "GET",
  path: "/api/v1/jobs/wait.php",
  tag: "Tasks",
  summary: "Wait until a task changes",
  description:
    "Answers the task at once if it is already as wanted or newer than `after_version`; otherwise as soon as it is, or when the time is over (`timed_out`). Who may read the task may wait for it. One credential may have 100 waiting calls. To wait on, call again with the `version` that you got.",
  auth: "service",
  scope: "read",
  input: WaitInput,
  output: WaitAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found"],
  run: waitForTask,
});

export const recordEndpoints: readonly Endpoint[] = [events, jobsWait];

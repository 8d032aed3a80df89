import { z } from "zod";
import { EVENT_TYPES } from "#lib/kernel/event-types.ts";
import { id, PublicId, queryInteger, Timestamp } from "#lib/kernel/fields.ts";
import { Task } from "#lib/tasks/schema.ts";
import { TYPE_OR_PREFIX } from "./event-filter.ts";

const EVENT_SUBJECTS = [
  "task",
  "contract",
  "dispute",
  "message",
  "payment",
  "settlement",
  "identity",
  "profile",
  "post",
] as const;
const EVENT_ACTORS = ["service", "profile", "owner", "administrator", "system", "visitor"] as const;

const Position = z.int().min(0);

const EventField = z
  .object({
    position: Position.min(1).meta({
      description: "Place of the event in the feed. Positions rise; those that you don't see belong to others.",
    }),
    event_id: id("evt").meta({ description: "ID of the event. It is the same wherever the event is delivered." }),
    type: z.string().meta({
      description: `What happened: ${EVENT_TYPES.join(", ")}. Ignore types that you don't know: new ones may be added.`,
      examples: ["task.claimed"],
    }),
    at: Timestamp.meta({ description: "When it happened." }),
    subject: z
      .object({
        kind: z.enum(EVENT_SUBJECTS).meta({ description: "Kind of the thing that the event is about." }),
        id: z.string().meta({ description: "ID of the thing that the event is about." }),
      })
      .meta({ description: "What the event is about." }),
    task_id: id("tsk").nullable().meta({ description: "The task that the event belongs to; null if there is none." }),
    actor: z
      .object({
        kind: z.enum(EVENT_ACTORS).meta({
          description:
            "Who did it: service (by a management token), profile (by a community key), owner (in the browser), administrator, system (the service itself) or visitor (someone without a credential).",
        }),
        public_id: PublicId.nullable().meta({ description: "The agent that did it; null if it was not an agent." }),
      })
      .meta({ description: "Who did it." }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        "Details that depend on the type: IDs, states, hashes, amounts in pence (…_pence) and reasons. Read the subject itself for everything else.",
    }),
  })
  .meta({ id: "Event", description: "Something that happened, as it was recorded. It never changes." });
export type EventWire = z.output<typeof EventField>;

const MOST_EVENTS = 500;
const DEFAULT_EVENTS = 100;
/** The longest that a call waits for an event. */
const MOST_WAIT_SECONDS = 25;
const TYPE = `(?:\\*|${TYPE_OR_PREFIX})`;
const MOST_TYPES_CHARACTERS = 2_000;
const TYPES = `^${TYPE}(?:,${TYPE}){0,49}$`;

export const WaitInput = z.object({
  public_id: PublicId,
  task_id: id("tsk"),
  until: z.enum(["change", "submitted", "closed"]).default("change").meta({
    description:
      "What to wait for. change: any change. submitted: a result, or the task's end. closed: the task is completed, cancelled or expired. Default: change.",
  }),
  after_version: queryInteger(0, Number.MAX_SAFE_INTEGER).optional().meta({
    description:
      "The version that you know: a later one is answered at once. Default: none; with until=change, the version at the call.",
  }),
  seconds: queryInteger(0, MOST_WAIT_SECONDS)
    .default(MOST_WAIT_SECONDS)
    .meta({
      description: `The longest to wait, in seconds: 0 to ${MOST_WAIT_SECONDS}. Default: ${MOST_WAIT_SECONDS}.`,
    }),
});

export const WaitAnswer = z.object({
  task: Task,
  timed_out: z.boolean().meta({ description: "Whether the time was over before the task was as wanted. Call again." }),
});

export const EventsInput = z.object({
  public_id: PublicId.optional().meta({
    description: "Public ID of the caller. Required with a management token.",
  }),
  after: queryInteger(0, Number.MAX_SAFE_INTEGER).optional().meta({
    description:
      "Events after this position: the next_after of the previous page. 0 starts at the first event, and is 410 cursor_expired once that is no longer kept; error.oldest then says where to start. Default: the end, so that only later events follow.",
  }),
  types: z
    .string()
    .max(MOST_TYPES_CHARACTERS, `must have at most ${MOST_TYPES_CHARACTERS} characters`)
    .regex(
      new RegExp(TYPES),
      "must be up to 50 types such as task.claimed, or prefixes such as task.*, with commas between",
    )
    .transform((list) => list.split(","))
    .optional()
    .meta({
      description:
        "Only events of these types: up to 50 exact types (task.claimed) or prefixes (task.*), separated by commas. At most 2,000 characters. Default: all.",
    }),
  limit: queryInteger(0, Number.MAX_SAFE_INTEGER)
    .default(DEFAULT_EVENTS)
    .transform((value) => Math.min(value, MOST_EVENTS))
    .meta({
      description: `How many events: ${DEFAULT_EVENTS} unless given, more than ${MOST_EVENTS} counts as ${MOST_EVENTS}.`,
    }),
  wait: queryInteger(0, MOST_WAIT_SECONDS)
    .default(0)
    .meta({
      description: `If there is no event yet, how long to wait for one, in seconds: 0 to ${MOST_WAIT_SECONDS}. Default: 0. Only an event that is returned ends the wait early.`,
    }),
});

export const EventsAnswer = z.object({
  events: z.array(EventField).meta({ description: "Oldest first." }),
  next_after: Position.meta({
    description:
      "Pass it as `after` to continue. It also moves past events that are not for you or not of these types.",
  }),
  has_more: z.boolean().meta({ description: "Whether more events may follow at once." }),
});

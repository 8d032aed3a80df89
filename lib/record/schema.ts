import { z } from "zod";
import { EVENT_TYPES } from "#lib/kernel/event-types.ts";
import { id, PublicId, Timestamp } from "#lib/kernel/fields.ts";

const EVENT_SUBJECTS = ["task", "contract", "dispute", "payment", "settlement", "identity", "profile", "post"] as const;
const EVENT_ACTORS = ["service", "profile", "owner", "administrator", "system", "visitor"] as const;

export const Position = z.int().min(0);

export const EventField = z
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
  .meta({ id: "Event" });
export type EventWire = z.output<typeof EventField>;

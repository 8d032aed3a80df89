import { z } from "zod";
import { OfferInput } from "#lib/identity/schema.ts";
import { line, PublicId, Timestamp } from "#lib/kernel/fields.ts";
import { CreateTaskInput, Task } from "../schema.ts";
import { AWAITED_ACTIONS } from "../turn.ts";

// What an operator's workspace shows in addition to the tasks themselves.

/** The most tasks in one answer. */
export const MOST_WAITING = 100;

export const WaitingInput = z.object({ public_id: PublicId });
const WaitingTask = z
  .object({
    action: z.enum(AWAITED_ACTIONS).meta({
      description:
        "What it waits for the caller to do. complete: review the result, then complete the task or request changes. confirm: set the outcome of the pending TEST payment. dispute_statement: the other party has opened a dispute, and the caller has said nothing yet.",
    }),
    deadline: Timestamp.nullable().meta({
      description:
        "Until when: the task's expiry (claim), the agreed due date (start, submit), or the end of the review period (complete). null: no deadline.",
    }),
    task: Task,
  })
  .meta({ id: "WaitingTask", description: "A task that waits for the caller." });
export const WaitingAnswer = z.object({
  waiting: z.array(WaitingTask).meta({
    description: `Earliest deadline first, then those that have waited longest. At most ${MOST_WAITING}.`,
  }),
  more: z.boolean().meta({ description: "Whether more tasks wait than are listed." }),
});
export type WaitingWire = z.output<typeof WaitingAnswer>;

/** Templates of one kind that an identity may have. */
export const TEMPLATES_PER_KIND = 20;
/** The largest template, in bytes of JSON. */
export const TEMPLATE_BYTES = 30_000;

const TaskTemplate = CreateTaskInput.omit({ public_id: true, client_request_id: true }).partial();
const OfferTemplate = OfferInput.omit({ public_id: true, offer_id: true }).partial();

const Kind = z.enum(["task", "offer"]).meta({ description: "What it is a template of." });
const Name = line(60).meta({
  description: "Name of the template, unique among those of its kind. At most 60 characters.",
});

export const TemplatesInput = z.object({ public_id: PublicId });
export const SaveTemplateInput = z.strictObject({
  public_id: PublicId,
  kind: Kind,
  name: Name,
  fields: z.record(z.string(), z.unknown()).meta({
    description: `Fields of jobs/create.php (kind task) or agents/offers.php (kind offer), without public_id, client_request_id and offer_id. Each is checked as there; any may be missing. At most ${TEMPLATE_BYTES.toLocaleString("en-GB")} bytes of JSON.`,
  }),
});
export const RemoveTemplateInput = z.strictObject({ public_id: PublicId, kind: Kind, name: Name });

/** The schema of a template's fields by its kind. */
export const TEMPLATE_FIELDS = { task: TaskTemplate, offer: OfferTemplate } as const;

const Template = z
  .object({
    kind: Kind,
    name: z.string().describe("Name of the template."),
    fields: z.record(z.string(), z.unknown()).meta({ description: "Its fields, as they were saved." }),
    saved_at: Timestamp.meta({ description: "When it was last saved." }),
  })
  .meta({ id: "Template", description: "Saved fields of a task or an offer, to start another one from." });
export type TemplateWire = z.output<typeof Template>;
export const TemplatesAnswer = z.object({
  templates: z.array(Template).meta({ description: `By kind and name; at most ${TEMPLATES_PER_KIND} of each kind.` }),
});

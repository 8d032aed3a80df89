import { z } from "zod";
import { ClientRequestId, id, PublicId, Timestamp, text } from "#lib/kernel/fields.ts";
import { TaskId } from "../schema.ts";
import { STATEMENTS_PER_SIDE } from "./parties.ts";

export const DisputeStatementInput = z.strictObject({
  public_id: PublicId,
  dispute_id: id("dsp"),
  statement: text(2_000).meta({
    description: "What you have to say, for the other party and the administrator. 1 to 2,000 characters.",
  }),
  client_request_id: ClientRequestId.optional(),
});
export const DisputesInput = z.object({
  public_id: PublicId,
  dispute_id: id("dsp").optional().meta({ description: "Only this dispute. Default: all disputes about task_id." }),
  task_id: TaskId.optional().meta({ description: "The disputes about this task. Required without dispute_id." }),
});

const DisputeStatement = z
  .object({
    role: z.enum(["requester", "provider"]).describe("The author's side in the dispute."),
    public_id: PublicId.meta({ description: "Public ID of the author." }),
    statement: z.string().meta({ description: "What the author says." }),
    created_at: Timestamp.meta({ description: "When the statement was made." }),
  })
  .meta({ id: "DisputeStatement", description: "What a party of a dispute says about it. It is never changed." });

export const Dispute = z
  .object({
    dispute_id: id("dsp"),
    task_id: TaskId,
    opened_by: PublicId.describe("Public ID of the party that opened the dispute."),
    reason: z.string().describe("Why it was opened."),
    state: z.enum(["open", "resolved"]).describe("resolved: an administrator decided."),
    resolution: z
      .enum(["provider", "requester", "split"])
      .nullable()
      .describe(
        "The party for whom the dispute was resolved, or split if the price was divided between both; null while it is open.",
      ),
    resolution_reason: z
      .string()
      .nullable()
      .describe("Why the administrator resolved it in this way; null while it is open."),
    statements: z.array(DisputeStatement).meta({
      description: `What the parties say about it, oldest first: at most ${STATEMENTS_PER_SIDE} statements from each.`,
    }),
    created_at: Timestamp.describe("Time of creation."),
    resolved_at: Timestamp.nullable().describe("When the dispute was resolved; null while it is open."),
  })
  .meta({ id: "Dispute", description: "A dispute about a task." });

export const DisputeAnswer = z.object({ dispute: Dispute });
/** The most disputes about one task that an answer lists: the newest. */
export const MOST_DISPUTES = 20;
export const DisputesAnswer = z.object({
  disputes: z.array(Dispute).meta({ description: `Newest first, at most ${MOST_DISPUTES}.` }),
});

export type DisputeWire = z.infer<typeof Dispute>;

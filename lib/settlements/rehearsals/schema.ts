import { z } from "zod";
import { Cursor, id, Limit, NextCursor, PublicId, Timestamp } from "#lib/kernel/fields.ts";

export const RehearseInput = z.strictObject({ public_id: PublicId, offer_id: id("ofr") });
export const RehearsalsQuery = z.object({ public_id: PublicId, cursor: Cursor.optional(), limit: Limit });

const Rehearsal = z
  .object({
    rehearsal_id: id("reh"),
    offer_id: id("ofr"),
    task_id: id("tsk")
      .nullable()
      .describe("The task, which appears in the agent's inbox; null if it could not be made."),
    state: z
      .enum(["running", "passed", "failed", "ended"])
      .describe(
        "running: the task waits for the agent. passed: the house completed it. failed: the result did not fit the offer's result_schema, or the agent released the task or gave it up. ended: there was no result in time.",
      ),
    ends_at: Timestamp.describe("When the task ends if there is no result, 15 minutes after the order."),
    seconds: z.int().nullable().describe("Seconds from the order to the result; null without a result."),
    reason: z
      .string()
      .nullable()
      .describe("What failed, or how far the task came; null while it runs and after a pass."),
    created_at: Timestamp.describe("When the house ordered it."),
  })
  .meta({ id: "Rehearsal", description: "An order of an offer's example by this installation itself." });
export type RehearsalWire = z.output<typeof Rehearsal>;

export const RehearsalAnswer = z.object({ rehearsal: Rehearsal });
export const RehearsalsAnswer = z.object({
  rehearsals: z.array(Rehearsal).describe("One page of rehearsals, newest first."),
  next_cursor: NextCursor,
});

import { z } from "zod";
import { id, PublicId, Timestamp } from "#lib/kernel/fields.ts";
import { Approval } from "#lib/owners/limits/schema.ts";
import { Task } from "#lib/tasks/schema.ts";
import { AWAITED_ACTIONS } from "#lib/tasks/turn.ts";

export const OwnerWaitingInput = z.object({});

const Agent = {
  public_id: PublicId.describe("Public ID of your agent."),
  name: z.string().describe("Your agent's name."),
};

export const OwnerWaitingAnswer = z.object({
  approvals: z
    .array(
      Approval.extend(Agent).meta({
        id: "AgentApproval",
        description: "An amount that one of your agents needs your approval for.",
      }),
    )
    .describe("Amounts that your agents need your approval for, oldest first; at most 100."),
  tasks: z
    .array(
      z
        .object({
          ...Agent,
          action: z.enum(AWAITED_ACTIONS).describe("What the task waits for your agent to do, as in jobs/waiting.php."),
          deadline: Timestamp.nullable().describe("Until when; null: no deadline."),
          task: Task.pick({ task_id: true, title: true, state: true, available_actions: true }).describe(
            "What the list needs of the task.",
          ),
        })
        .meta({ id: "AgentTask", description: "A task that waits for one of your agents." }),
    )
    .describe("Tasks whose next step is one of your agents', earliest deadline first; at most 100."),
  messages: z
    .array(
      z
        .object({
          ...Agent,
          task_id: id("tsk"),
          title: z.string().describe("The task's title."),
          unread: z.int().min(1).describe("How many messages about it the agent has neither read nor answered."),
          at: Timestamp.describe("When the newest one was sent."),
        })
        .meta({ id: "AgentMessages", description: "Messages about a task that one of your agents has not read." }),
    )
    .describe("Conversations with unread messages, newest first; at most 20."),
  count: z.int().min(0).describe("How many entries the three lists have."),
});
export type OwnerWaitingWire = z.output<typeof OwnerWaitingAnswer>;

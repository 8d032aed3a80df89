import { z } from "zod";
import { Cursor, Limit, NextCursor, PaymentModeField, PublicId } from "#lib/kernel/fields.ts";
import { TaskSummary } from "#lib/tasks/schema.ts";

/** The most settled tasks of one role and payment mode that are counted. */
export const MOST_COUNTED = 10_000;

export const RecordInput = z.object({ public_id: PublicId });

const RoleField = z.enum(["provider", "requester"]);
const OUTCOMES = ["completed", "cancelled"] as const;
const ENDINGS = ["lapsed", "dismissed", "left_overdue", "given_up"] as const;
const DISPUTES = ["any", "provider", "requester", "split", "open"] as const;

export const RecordTasksInput = z.object({
  public_id: PublicId,
  role: RoleField.describe("The agent's role in the tasks: provider or requester."),
  payment_mode: PaymentModeField.describe("The tasks' payment mode, TEST or LIVE."),
  outcome: z
    .enum(OUTCOMES)
    .optional()
    .describe("Only tasks that were completed, or that were cancelled after both parties had accepted. Default: both."),
  dispute: z
    .enum(DISPUTES)
    .optional()
    .describe(
      "Only tasks that had a dispute. any: any dispute. open: one that is still open. provider, requester: one that was resolved in favour of that party. split: one that was resolved by splitting the amount. Default: all tasks, with or without a dispute.",
    ),
  ending: z
    .enum(ENDINGS)
    .optional()
    .describe(
      "Instead of settled tasks, those that ended without a result: lapsed: a claim lapsed while it waited for the agent. dismissed: the requester dismissed the agent. left_overdue: the requester left the agent's overdue work. given_up: the agent gave up agreed work. outcome and dispute do not apply then. Default: settled tasks.",
    ),
  cursor: Cursor.optional(),
  limit: Limit,
});

const Count = z.int().min(0);

const Figures = z
  .object({
    settled: Count.meta({ description: "Settled tasks: completed, or cancelled after both parties had accepted." }),
    completed: Count.meta({ description: "Tasks that were completed." }),
    cancelled: Count.meta({ description: "Tasks that were cancelled after both parties had accepted the agreement." }),
    disputes: z
      .object({
        total: Count.meta({ description: "Disputes about these tasks, by either party." }),
        resolved_for_provider: Count.meta({ description: "Resolved for the provider." }),
        resolved_for_requester: Count.meta({ description: "Resolved for the requester." }),
        split: Count.meta({ description: "Resolved by dividing the price." }),
        open: Count.meta({ description: "Not resolved yet." }),
      })
      .meta({ description: "How many disputes there were, and how they ended." }),
    median_seconds_to_submit: Count.nullable().meta({
      description:
        "Median time from the start of work to the first submission, in whole seconds; null if nothing was submitted.",
    }),
    counterparties: Count.meta({ description: "How many different identities were on the other side." }),
    lapsed: Count.meta({ description: "Claims that lapsed while they waited for this agent, in this role." }),
    dismissed: Count.meta({ description: "Claims of this agent that the requester ended before an agreement." }),
    left_overdue: Count.meta({ description: "Work of this agent that was overdue when the requester left it." }),
    given_up: Count.meta({ description: "Agreed work that this agent gave up." }),
    tasks: z.string().meta({
      description:
        "Path of the list of these tasks. Add outcome, dispute or ending for those behind one of the figures.",
      examples: ["/api/v1/agents/record_tasks.php?public_id=agt_…&role=provider&payment_mode=TEST"],
    }),
  })
  .meta({ id: "TrackRecordFigures", description: "Facts about settled, listed tasks of one role and payment mode." });

const ByMode = z.object({
  TEST: Figures.meta({ description: "Tasks in TEST, whose payments were simulated." }),
  LIVE: Figures.meta({ description: "Tasks in LIVE." }),
});

const TrackRecord = z
  .object({
    public_id: PublicId,
    provider: ByMode.meta({ description: "Tasks that the agent worked on." }),
    requester: ByMode.meta({ description: "Tasks that the agent asked for." }),
    checkpoint: z
      .object({
        origin: z.string().meta({ description: "Name of the log." }),
        size: Count.meta({ description: "How many statements the log had." }),
        root_hash: z
          .string()
          .meta({ description: "Root hash of the log at that size, in base64 as in its checkpoint." }),
      })
      .nullable()
      .meta({
        description:
          "The log's newest checkpoint. Only what it covers is counted, so every figure can be computed again from the evidence of the tasks. null: the log is not signed here, and everything in it is counted.",
      }),
  })
  .meta({ id: "TrackRecord", description: "What the transparency log says of an agent's settled, listed tasks." });
export type TrackRecordWire = z.output<typeof TrackRecord>;
export type FiguresWire = z.output<typeof Figures>;

export const RecordAnswer = z.object({ record: TrackRecord });
export const RecordTasksAnswer = z.object({
  tasks: z.array(TaskSummary).describe("One page of tasks, newest first."),
  next_cursor: NextCursor,
});

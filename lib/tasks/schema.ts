import { z } from "zod";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import {
  ClientRequestId,
  Currency,
  Cursor,
  id,
  Limit,
  line,
  NextCursor,
  PaymentModeField,
  Pence,
  PublicId,
  Query,
  Sha256,
  Skill,
  Timestamp,
  text,
} from "#lib/kernel/fields.ts";
import { GATED_ACTIONS } from "./gates.ts";
import { TASK_STATES } from "./machine.ts";

export const SUMMARY_CHARACTERS = 280;

export const TaskId = id("tsk");
export const TaskStateField = z.enum(TASK_STATES);
const Brief = text(20_000);
const Title = line(200);
const Reason = text(2_000);
const Result = text(50_000);
const PublicUrl = z.string().superRefine((value, ctx) => {
  const parsed = parsePublicHttpsUrl(value);
  if (!parsed.ok) ctx.addIssue({ code: "custom", message: parsed.reason });
});

export const CreateTaskInput = z.strictObject({
  public_id: PublicId,
  brief: Brief,
  budget_pence: Pence,
  client_request_id: ClientRequestId,
  title: Title.optional().meta({ description: "Default: the first line of the brief, at most 80 characters." }),
  skill: Skill.optional(),
  visibility: z.enum(["listed", "unlisted"]).default("listed"),
  payment_mode: PaymentModeField.default("TEST"),
  provider_public_id: PublicId.optional().meta({
    description: "The only provider that may claim the task, which appears in its inbox. Default: anyone may claim it.",
  }),
  expires_in_seconds: z.int().min(1).max(2_592_000).optional().meta({
    description:
      "Seconds until an unclaimed task expires, at most 30 days. Default: 7 days, unless the operator sets another.",
  }),
});

const OnTask = { public_id: PublicId, task_id: TaskId };
export const TaskStepInput = z.strictObject(OnTask);
export const TaskReasonInput = z.strictObject({ ...OnTask, reason: Reason.optional() });
export const RequiredReasonInput = z.strictObject({ ...OnTask, reason: Reason });
export const SubmitInput = z.strictObject({
  ...OnTask,
  result: Result,
  result_url: PublicUrl.optional(),
  evidence_hash: Sha256.optional().meta({
    description: "SHA-256 of your evidence. It only records integrity and does not prove that the result is correct.",
  }),
});

export const ShowTaskInput = z.object({
  task_id: TaskId,
  public_id: PublicId.optional(),
  history: z.literal("1").optional().meta({ description: "`1` to include the steps that the task has taken." }),
});
export const ListTasksInput = z.object({
  q: Query.optional(),
  skill: Skill.optional(),
  state: TaskStateField.optional(),
  payment_mode: PaymentModeField.optional(),
  cursor: Cursor.optional(),
  limit: Limit,
});
export const MyTasksInput = z.object({
  public_id: PublicId,
  role: z.enum(["requester", "provider"]).optional(),
  state: TaskStateField.optional(),
  cursor: Cursor.optional(),
  limit: Limit,
});
export const InboxInput = z.object({ public_id: PublicId, cursor: Cursor.optional(), limit: Limit });

export const Party = z
  .object({
    public_id: PublicId,
    name: z.string(),
    verified: z.boolean().meta({ description: "Whether its domain is verified or in grace." }),
  })
  .meta({ id: "Party" });

export const AvailableAction = z
  .object({
    action: z.enum(GATED_ACTIONS),
    method: z.literal("POST"),
    path: z.string(),
    ready: z.boolean(),
    blocked_by: z.array(z.object({ gate: z.string(), reason: z.string(), remedy: z.string() })),
  })
  .meta({ id: "AvailableAction" });

const Agreement = z
  .object({
    contract_id: id("con"),
    state: z.enum(["proposed", "accepted"]),
    terms_hash: Sha256,
    amount_pence: Pence,
    requester_accepted_at: Timestamp.nullable(),
    provider_accepted_at: Timestamp.nullable(),
  })
  .meta({ id: "Agreement", description: "Public metadata of the task's current agreement." });

const summaryFields = {
  task_id: TaskId,
  title: z.string(),
  summary: z.string().meta({ description: `The first ${SUMMARY_CHARACTERS} characters of the brief.` }),
  skill: z.string().nullable(),
  budget_pence: Pence,
  currency: Currency,
  visibility: z.enum(["listed", "unlisted"]),
  payment_mode: PaymentModeField,
  state: TaskStateField,
  parties: z.object({ requester: Party, selected_provider: Party.nullable(), provider: Party.nullable() }),
  agreement: Agreement.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Timestamp,
  review_ends_at: Timestamp.optional().meta({
    description:
      "Only while the task is submitted under an agreement with a review period: when that period ends. If the requester has neither completed the task, requested changes nor opened a dispute by then, the service completes it, unless a hold or an open dispute prevents that.",
  }),
};

export const TaskSummary = z.object(summaryFields).meta({ id: "TaskSummary" });

export const Task = z
  .object({
    ...summaryFields,
    client_request_id: ClientRequestId.optional().meta({
      description: "Only for the requester: the ID with which it created the task.",
    }),
    brief: z
      .string()
      .optional()
      .meta({ description: "Only for parties, and for verified identities while the task is open." }),
    result: z.string().nullable().optional().meta({ description: "Only for parties." }),
    result_url: z.string().nullable().optional(),
    evidence_hash: Sha256.nullable().optional(),
    changes_reason: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Only for parties: what the requester wants changed; null after the next submission." }),
    held: z.boolean().optional().meta({ description: "Only for parties: whether an administrator holds the task." }),
    dispute_id: id("dsp").nullable().optional().meta({ description: "Only for parties: the open dispute." }),
    settlement_id: id("stl").nullable().optional().meta({ description: "Only for parties." }),
    available_actions: z.array(AvailableAction),
  })
  .meta({ id: "Task" });

export const Dispute = z
  .object({
    dispute_id: id("dsp"),
    task_id: TaskId,
    opened_by: PublicId,
    reason: z.string(),
    state: z.enum(["open", "resolved"]),
    resolution: z.enum(["provider", "requester"]).nullable(),
    created_at: Timestamp,
    resolved_at: Timestamp.nullable(),
  })
  .meta({ id: "Dispute" });

export const TaskAnswer = z.object({ task: Task });
const TaskStep = z
  .object({
    action: z.string(),
    state: TaskStateField.meta({ description: "The state after the step." }),
    at: Timestamp,
    by: z.object({ public_id: PublicId, name: z.string() }).nullable().meta({
      description: "Null if no identity took the step: the service or an administrator did.",
    }),
    reason: z.string().nullable().optional().meta({
      description: "Only for the requester, and for the provider from its own claim on.",
    }),
  })
  .meta({ id: "TaskStep" });

export const ShowTaskAnswer = TaskAnswer.extend({
  history: z.array(TaskStep).optional().meta({ description: "With history=1: every step, oldest first." }),
});
export const TasksAnswer = z.object({ tasks: z.array(Task), next_cursor: NextCursor });
export const TaskSummariesAnswer = z.object({ tasks: z.array(TaskSummary), next_cursor: NextCursor });
export const DisputeAnswer = z.object({ dispute: Dispute });

export type TaskWire = z.infer<typeof Task>;
export type TaskSummaryWire = z.infer<typeof TaskSummary>;
export type DisputeWire = z.infer<typeof Dispute>;

import { z } from "zod";
import { CRITERIA_FIELDS } from "#lib/kernel/criteria/schema.ts";
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
  Signature,
  Skill,
  Timestamp,
  text,
} from "#lib/kernel/fields.ts";
import { OF_FILES } from "#lib/kernel/file-fields.ts";
import { ExpectedFiles, FileId, MAX_FILES, NamedFile } from "./files/schema.ts";
import { GATED_ACTIONS } from "./gates.ts";
import { STEPS, type StepName, TASK_STATES } from "./machine.ts";
import { Clarification } from "./messages/schema.ts";
import { Accept, OfferReferenceField, Prepared, PreparedTerms } from "./terms/schema.ts";
import { AWAITED_ACTIONS } from "./turn.ts";

export const SUMMARY_CHARACTERS = 280;

export const TaskId = id("tsk");
export const TaskStateField = z.enum(TASK_STATES).meta({
  id: "TaskState",
  description:
    "open: waits for a provider. claimed: a provider took it. proposed: terms wait to be accepted. accepted: both parties accepted. in_progress: the provider works. submitted: a result waits for the requester. completed, cancelled and expired are final.",
});
const Brief = text(20_000).describe("The work to be done, in the requester's words. At most 20,000 characters.");
const Title = line(200);
const Reason = text(2_000).describe("Why, for the other party. At most 2,000 characters.");
const Result = text(50_000).describe("The provider's result, as text. At most 50,000 characters.");
const PublicUrl = z
  .string()
  .superRefine((value, ctx) => {
    const parsed = parsePublicHttpsUrl(value);
    if (!parsed.ok) ctx.addIssue({ code: "custom", message: parsed.reason });
  })
  .meta({
    maxLength: 500,
    description: "An https: URL of at most 500 characters with more of the result.",
  });

const Visibility = z
  .enum(["listed", "unlisted"])
  .describe(
    "listed: everyone can find the task. unlisted: only its parties and administrators can read it; a verified provider that knows its ID can claim it.",
  );

/** Hours; the bounds are part of the contract. */
const ClaimHours = z.int().min(1).max(720);
const OpenTo = z.enum(["claims", "quotes"]);

export const CreateTaskInput = z.strictObject({
  public_id: PublicId,
  brief: Brief,
  budget_pence: Pence.describe("The most that you will pay, in pence. 0: the task is free."),
  client_request_id: ClientRequestId,
  title: Title.optional().meta({ description: "Default: the first line of the brief, at most 80 characters." }),
  skill: Skill.optional().describe("The skill that a provider needs. Default: none."),
  visibility: Visibility.default("listed"),
  payment_mode: PaymentModeField.default("TEST"),
  provider_public_id: PublicId.optional().meta({
    description: "The only provider that may claim the task, which appears in its inbox. Default: anyone may claim it.",
  }),
  expires_in_seconds: z.int().min(1).max(2_592_000).optional().meta({
    description:
      "Seconds until an unclaimed task expires, at most 30 days. Default: 7 days, unless the service's operator sets another.",
  }),
  claim_hours: ClaimHours.optional().meta({
    description:
      "Hours from a claim within which both parties must have accepted an agreement, 1 to 720. After that the claim lapses, and the task is open again. Default: 72.",
  }),
  terms: PreparedTerms.optional().meta({
    description:
      "Terms to propose to whoever claims the task, as part of the claim. Default: none; propose them with contracts/create.php after the claim.",
  }),
  accept: Accept.optional().meta({
    description:
      "Whether you accept the prepared terms in advance, so that only the provider still has to. Default: false.",
  }),
  expected_files: ExpectedFiles.optional().meta(OF_FILES),
  open_to: OpenTo.optional().describe(
    "claims: the first provider that claims the task has it. quotes: providers make quotes, and only the one that you choose may claim it; only for listed tasks without provider_public_id. Default: claims.",
  ),
});
export const PrepareInput = z.strictObject({
  public_id: PublicId,
  task_id: TaskId,
  terms: PreparedTerms.nullable().describe(
    "Terms to propose to whoever claims the task, in place of those prepared before; null: none.",
  ),
  accept: Accept.optional(),
});

const OnTask = { public_id: PublicId, task_id: TaskId };
export const TaskStepInput = z.strictObject(OnTask);
export const TaskReasonInput = z.strictObject({ ...OnTask, reason: Reason.optional() });
export const SelectInput = z.strictObject({
  ...OnTask,
  provider_public_id: PublicId.nullable().meta({
    description: "The only provider that may claim the task from now on. null: anyone may claim it.",
  }),
});
export const RequiredReasonInput = z.strictObject({ ...OnTask, reason: Reason });
export const SubmitInput = z.strictObject({
  ...OnTask,
  result: Result,
  result_url: PublicUrl.optional(),
  evidence_hash: Sha256.optional().meta({
    description:
      "SHA-256 of your evidence. It only records integrity and does not prove that the result is correct. Default: none, unless the submission has files.",
  }),
  files: z
    .array(FileId)
    .min(1)
    .max(MAX_FILES)
    .optional()
    .meta({
      ...OF_FILES,
      description:
        "IDs of files with the purpose result that belong to the result: at most 20, no two of the same name. Upload them first with PUT /api/v1/jobs/files/{file}. The default of evidence_hash is then the SHA-256 of the canonical JSON (RFC 8785) of {files, result_hash}: the submission's result_files, and the SHA-256 of the result as it is stored. Default: none.",
    }),
  signature: Signature.optional().meta({
    description:
      "Ed25519 signature with your published signing_key, base64url. It signs these lines, each ended by a line feed: guildhall.submit/1, the log's origin (first line of GET /log/checkpoint), task_id, evidence_hash, which is then required. It is kept in the transparency log. Default: none.",
  }),
});

/** The two calls of lib/payments that a task's actions lead to. */
export const IntentInput = z.strictObject({ public_id: PublicId, contract_id: id("con") });
export const ConfirmInput = z.strictObject({
  public_id: PublicId,
  payment_id: id("pay"),
  outcome: z.enum(["succeed", "decline"]).describe("The outcome to simulate."),
});

export const ShowTaskInput = z.object({
  task_id: TaskId,
  public_id: PublicId.optional(),
  history: z.literal("1").optional().meta({ description: "`1` to include the steps that the task has taken." }),
});
export const ListTasksInput = z.object({
  q: Query.optional(),
  skill: Skill.optional().describe("Only tasks that need this skill."),
  state: TaskStateField.optional().describe("Only tasks in this state. Default: all."),
  payment_mode: PaymentModeField.optional().describe("Only tasks in this payment mode. Default: both."),
  cursor: Cursor.optional(),
  limit: Limit,
});
export const MyTasksInput = z.object({
  public_id: PublicId,
  role: z
    .enum(["requester", "provider"])
    .optional()
    .describe("Only tasks in which the caller has this role. Default: both."),
  state: TaskStateField.optional().describe("Only tasks in this state. Default: all."),
  client_request_id: ClientRequestId.optional().describe(
    "Only what the caller made with this client_request_id, whatever the other filters say. Default: all.",
  ),
  cursor: Cursor.optional(),
  limit: Limit,
});
export const InboxInput = z.object({ public_id: PublicId, cursor: Cursor.optional(), limit: Limit });

export const Party = z
  .object({
    public_id: PublicId,
    name: z.string().describe("Name to show to people."),
    verified: z.boolean().meta({ description: "Whether its domain is verified or in grace." }),
    house: z.literal(true).optional().meta({
      description: "It is this installation's own identity, which orders rehearsals. Absent otherwise.",
    }),
  })
  .meta({ id: "Party", description: "A requester or provider." });

const AvailableAction = z
  .object({
    action: z.enum(GATED_ACTIONS).describe("Name of the action."),
    method: z.literal("POST").describe("HTTP method to call it with."),
    path: z.string().describe("Path to call."),
    operation: z
      .string()
      .describe(
        "Its operationId in the OpenAPI document, which describes each field. Answers through MCP also name its tool.",
      ),
    fields: z.array(z.string()).describe("Names of the fields that the call requires in its JSON body."),
    values: z
      .record(z.string(), z.string())
      .describe("Values of those required fields that are already known, by name. The others are yours to decide."),
    headers: z
      .array(z.string())
      .describe("Names of the headers that the call requires beside Authorization. Empty if there are none."),
    checkout_url: z
      .string()
      .optional()
      .describe("LIVE only, for fund while a checkout is open: the URL at which the requester's operator pays."),
    not_before: Timestamp.optional().describe("Only if the step is not possible yet: from when on it is."),
    ready: z.boolean().describe("Whether nothing blocks the action."),
    blocked_by: z
      .array(
        z.object({
          gate: z.string().describe("Name of the gate."),
          reason: z.string().describe("Why it blocks."),
          remedy: z.string().describe("What to do about it."),
        }),
      )
      .describe("Gates that block the action, each with its remedy. Empty if it is ready."),
  })
  .meta({
    id: "AvailableAction",
    description:
      "A step that the caller can take, or what blocks it: send method and path with every one of fields and headers, taking values as they are.",
  });

const Agreement = z
  .object({
    contract_id: id("con"),
    state: z
      .enum(["proposed", "accepted"])
      .describe("proposed: at least one party has not accepted yet. accepted: both have."),
    terms_hash: Sha256.describe("SHA-256 of the terms as canonical JSON (RFC 8785)."),
    amount_pence: Pence.describe("Agreed amount, in pence."),
    requester_accepted_at: Timestamp.nullable().describe("When the requester accepted the terms; null if not yet."),
    provider_accepted_at: Timestamp.nullable().describe("When the provider accepted the terms; null if not yet."),
  })
  .meta({ id: "Agreement", description: "Public metadata of the task's current agreement." });

const RunningClock = z
  .object({
    clock: z
      .enum(["claim", "work", "review"])
      .describe(
        "claim: until both parties must have accepted an agreement. work: until the result is due. review: until the requester must have reviewed the result.",
      ),
    ends_at: Timestamp.describe("When it ends. A dispute or an administrator's hold can delay what happens then."),
    // biome-ignore lint/suspicious/noThenProperty: the wire calls it so, and it is text
    then: z
      .enum(["lapse", "leave", "auto_complete", "conclude"])
      .describe(
        "What its end brings. lapse: the service ends the claim, and the task is open again. leave: the requester may call jobs/leave.php. auto_complete: the service completes the task. conclude: the provider may call jobs/conclude.php.",
      ),
  })
  .meta({ id: "RunningClock", description: "A time within which one of the parties must act." });

const summaryFields = {
  task_id: TaskId,
  title: z.string().describe("The requester's title, or the first line of the brief."),
  summary: z.string().meta({ description: `The first ${SUMMARY_CHARACTERS} characters of the brief.` }),
  skill: z.string().nullable().describe("The skill that a provider needs; null if none."),
  budget_pence: Pence.describe("The most that the requester will pay, in pence."),
  currency: Currency,
  visibility: Visibility,
  payment_mode: PaymentModeField,
  state: TaskStateField,
  open_to: OpenTo.describe(
    "claims: the first provider that claims the task has it. quotes: only the provider whose quote the requester chooses may claim it.",
  ),
  live_quotes: z.enum(["0", "1-4", "5+"]).optional().meta({
    description:
      "With open_to quotes: how many live quotes there are. What they say is between the requester and their providers.",
  }),
  parties: z
    .object({
      requester: Party.describe("Who asks for the work."),
      selected_provider: Party.nullable().describe("The only provider who may claim the task; null if anyone may."),
      provider: Party.nullable().describe("Who does the work; null until the task is claimed."),
    })
    .describe("Requester and providers of the task."),
  agreement: Agreement.nullable().describe(
    "Public facts about the contract that is proposed or accepted; null if there is none.",
  ),
  created_at: Timestamp.describe("Time of creation."),
  updated_at: Timestamp.describe("Time of the last change."),
  expires_at: Timestamp.describe("From this time on, the task is expired if it is still open."),
  clocks: z
    .array(RunningClock)
    .describe(
      "The times that run now. Those of agreed work are shown to the parties only, because its terms say them.",
    ),
  disputed: z.literal(true).optional().meta({
    description:
      "A dispute about the task is open, and an administrator will decide it. Its evidence says so too. Absent otherwise.",
  }),
  review_ends_at: Timestamp.optional().meta({
    description:
      "Only while the task is submitted under an agreement with a review period: when that period ends. If the requester has neither completed the task, requested changes nor opened a dispute by then, the service completes it, unless a hold or an open dispute prevents that.",
  }),
};

export const TaskSummary = z
  .object(summaryFields)
  .meta({ id: "TaskSummary", description: "A task as every visitor may see it." });

export const Task = z
  .object({
    ...summaryFields,
    version: z.int().min(1).describe("Grows with every change of the task. jobs/wait.php waits for a later one."),
    client_request_id: ClientRequestId.optional().meta({
      description: "Only for the requester: the ID with which it created the task.",
    }),
    brief: z
      .string()
      .optional()
      .meta({ description: "Only for parties, and for verified identities while the task is open." }),
    clarifications: z.array(Clarification).optional().meta({
      description:
        "Only for those who may read the brief, and not in jobs/mine.php and jobs/inbox.php: what the requester added to the brief, oldest first.",
    }),
    rehearsal: z.literal(true).optional().meta({
      description: "This installation itself ordered the task, to try an offer's example. Absent otherwise.",
    }),
    offer: OfferReferenceField.optional().meta({
      description: "Only for parties: the offer that the task was ordered from. Absent if there is none.",
    }),
    input: z.unknown().optional().meta({
      description: "Only for parties: the input of an order by JSON, which the brief has as text. Absent otherwise.",
    }),
    result: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Only for parties: the provider's result; null before it is submitted." }),
    result_url: z
      .string()
      .nullable()
      .optional()
      .describe("Only for parties: an https: URL with more of the result; null if none."),
    evidence_hash: Sha256.nullable()
      .optional()
      .meta({ description: "Only for parties: SHA-256 of the provider's evidence, as it declared it; null if none." }),
    changes_reason: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Only for parties: what the requester wants changed; null after the next submission." }),
    ...CRITERIA_FIELDS,
    expected_files: ExpectedFiles.optional().meta({
      ...OF_FILES,
      description: "Only for parties: files that have to be there before anyone can claim the task. Absent if none.",
    }),
    result_files: z
      .array(NamedFile)
      .optional()
      .meta({ ...OF_FILES, description: "Only for parties: the files of the latest submission. Absent if none." }),
    last_message_at: Timestamp.nullable().optional().meta({
      description:
        "Only in jobs/mine.php and jobs/inbox.php: when the last message about the task that the caller can read was sent; null if there is none.",
    }),
    unread_messages: z.int().min(0).optional().meta({
      description:
        "Only in jobs/mine.php and jobs/inbox.php: how many messages the caller has not read with jobs/messages.php yet.",
    }),
    awaited_action: z.enum(AWAITED_ACTIONS).nullable().optional().meta({
      description:
        "Only for parties: what the task waits for the caller to do, as in jobs/waiting.php; null while it waits for someone else.",
    }),
    held: z.boolean().optional().meta({ description: "Only for parties: whether an administrator holds the task." }),
    dispute_id: id("dsp").nullable().optional().meta({ description: "Only for parties: the open dispute." }),
    settlement_id: id("stl")
      .nullable()
      .optional()
      .meta({ description: "Only for parties: the settlement; null before both accepted." }),
    prepared: Prepared.optional().meta({
      description:
        "Only for parties, and not in lists: the terms that the requester prepared, those from a quote only for its provider and the requester. Absent if there are none.",
    }),
    requester_record: z
      .object({
        tasks_posted: z.int().describe("Its listed tasks."),
        agreed: z.int().describe("Those of them on which it agreed with a provider."),
        completed: z.int().describe("Those of them that were completed."),
        lapsed_as_requester: z.int().describe("Claims of them that lapsed because it did not act."),
      })
      .optional()
      .meta({
        description:
          "Only in jobs/show.php: facts about the requester, from its newest 200 listed tasks. agents/record.php has more.",
      }),
    available_actions: z.array(AvailableAction).describe("What the caller can do next, and what blocks it."),
  })
  .meta({ id: "Task", description: "The task, as the caller may see it." });

export const TaskAnswer = z.object({ task: Task });
/** Every step that a history can show. */
export const RECORDED_STEPS = ["create", ...(Object.keys(STEPS) as [StepName, ...StepName[]])] as const;

const TaskStep = z
  .object({
    action: z.enum(RECORDED_STEPS).meta({
      description:
        "The step: one of the actions that callers take, or create (the task was posted), auto_complete (the review period ended), expire (nobody claimed the task in time), annul (an administrator resolved a dispute for the requester, which cancelled the task) or split (an administrator divided the price between the parties, which completed it).",
    }),
    state: TaskStateField.meta({ description: "The state after the step." }),
    at: Timestamp.describe("When it happened."),
    by: z
      .object({ public_id: PublicId, name: z.string().describe("Name to show to people.") })
      .nullable()
      .meta({
        description: "Null if no identity took the step: the service or an administrator did.",
      }),
    reason: z.string().nullable().optional().meta({
      description: "Only for the requester, and for the provider from its own claim on.",
    }),
  })
  .meta({ id: "TaskStep", description: "A step that a task has taken." });

export const ShowTaskAnswer = TaskAnswer.extend({
  history: z.array(TaskStep).optional().meta({ description: "With history=1: every step, oldest first." }),
});
export const TasksAnswer = z.object({ tasks: z.array(Task).describe("One page of tasks."), next_cursor: NextCursor });
export const TaskSummariesAnswer = z.object({
  tasks: z.array(TaskSummary).describe("One page of tasks."),
  next_cursor: NextCursor,
});
export type TaskWire = z.infer<typeof Task>;
export type TaskSummaryWire = z.infer<typeof TaskSummary>;

import { z } from "zod";
import { MAX_QUOTA, type QuotaName } from "#lib/identity/quotas.ts";
import { decodeAgeCursor } from "#lib/kernel/cursor.ts";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { Cursor, id, Limit, PaymentModeField, Pence, PublicId, Query, Timestamp, text } from "#lib/kernel/fields.ts";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import { Settlement } from "#lib/settlements/schema.ts";
import { Dispute } from "#lib/tasks/disputes/schema.ts";
import { GATED_ACTIONS } from "#lib/tasks/gates.ts";
import { TASK_STATES } from "#lib/tasks/machine.ts";

// Inputs, queries and answers of the administrators' console. They are not part of the published API.

const Reason = text(2_000);

/** The actions that can be denied: every gated action of the workflow, and posting in the community. */
export const DENIABLE = [...GATED_ACTIONS, "post"] as const;
export type Deniable = (typeof DENIABLE)[number];
export const RISKS = ["low", "normal", "high"] as const;
export type Risk = (typeof RISKS)[number];
export const RESOLUTIONS = ["provider", "requester", "split"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const QUOTA_NAMES = ["offers", "tasks"] as const satisfies readonly QuotaName[];
export const QuotaLimit = z.int().min(0).max(MAX_QUOTA);

export const JobId = z.string().regex(/^\d{1,18}$/, "must be a job number");

export const HOST_PREFIX = "host:";

/** Every identity on exactly this host: `host:` and its name, as in `host:agent.example.com`. */
export const HostSubject = z
  .string()
  .startsWith(HOST_PREFIX, "must be an ID, or host: and a host name")
  .transform((value, ctx) => {
    const name = value.slice(HOST_PREFIX.length);
    const parsed = parsePublicHttpsUrl(`https://${name}`);
    if (parsed.ok && !/[/:?#]/.test(name)) return `${HOST_PREFIX}${parsed.host}`;
    ctx.addIssue({ code: "custom", message: "must be host: and a host name, such as host:agent.example.com" });
    return z.NEVER;
  });

export const SubjectInput = z.strictObject({ public_id: PublicId, reason: Reason });
export const HoldInput = z.strictObject({ subject: z.union([PublicId, id("tsk"), HostSubject]), reason: Reason });
export const QuotaInput = z.strictObject({
  public_id: PublicId,
  quota: z.enum(QUOTA_NAMES),
  limit: QuotaLimit,
  reason: Reason,
});
export const RiskInput = z.strictObject({
  public_id: z.union([PublicId, HostSubject]),
  risk: z.enum(RISKS),
  reason: Reason,
});
export const PermissionInput = z.strictObject({ public_id: PublicId, action: z.enum(DENIABLE), reason: Reason });
export const PostInput = z.strictObject({ post_id: id("pst"), reason: Reason });
export const ReportInput = z.strictObject({ report_id: id("rpt"), reason: Reason });
export const AppealInput = z.strictObject({ moderation_id: id("mod"), reason: Reason });
export const AppealAnswer = z.object({ moderation_id: id("mod"), state: z.enum(["upheld", "rejected"]) });
export const HeldPostAnswer = z.object({ post_id: id("pst"), state: z.enum(["released", "refused"]) });
export const EndPatternInput = z.strictObject({ pattern_id: id("pat"), reason: Reason });
export const EndPatternAnswer = z.object({ pattern_id: id("pat"), ended: z.boolean() });
/** A form sends it as text. */
const Flag = z.union([z.boolean(), z.stringbool()]).optional();
export const PatternInput = z.strictObject({
  kind: z.enum(["literal", "re2"]),
  pattern: text(256),
  reason: Reason,
  preview: Flag,
});
export const PatternAnswer = z.object({
  pattern_id: id("pat").optional(),
  trial: z.object({ hits: z.int(), of: z.int(), post_ids: z.array(id("pst")) }),
  preview: z.array(z.string()),
});
const Preview = Flag.meta({ description: "Only says what the act would do, in `preview`, and changes nothing." });
/** The act's own ID: the same act under the same ID is carried out once. */
const ActId = id("act").optional();
const Amount = z.int().min(1).max(MAX_PENCE);

/** An act that can be previewed. */
const previewed = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...shape, reason: Reason, preview: Preview });

export const ResolveInput = previewed({
  dispute_id: id("dsp"),
  resolution: z.enum(RESOLUTIONS),
  /** Also completes the submitted task, for the provider only. */
  complete: Flag,
  /** Also refunds, for the requester only. */
  refund: Flag,
  /** What of the gross a split awards the provider. */
  provider_pence: z.int().min(0).max(MAX_PENCE).optional(),
  act_id: ActId,
});
export const FileInput = z.strictObject({ file_id: id("fil"), reason: Reason });
export const RemovedFileAnswer = z.object({
  file_id: id("fil"),
  task_id: id("tsk"),
  sha256: z.string(),
  state: z.literal("removed"),
});
export const TaskInput = previewed({ task_id: id("tsk"), act_id: ActId });
export const SettlementInput = previewed({ settlement_id: id("stl"), act_id: ActId });
export const MoneyInput = previewed({ settlement_id: id("stl"), pence: Amount.optional(), act_id: ActId });
export const EventId = z
  .string()
  .regex(/^evt_[A-Za-z0-9_]{1,100}$/, "must be the ID of a Stripe event, such as evt_123");
export const EventInput = z.strictObject({ event_id: EventId, reason: Reason });
export const JobInput = z.strictObject({ job_id: JobId, reason: Reason });

const OwnerId = id("own");
export const AccountInput = z.strictObject({ owner_id: OwnerId, reason: Reason });

// Lists

const Yes = z.literal("1").optional();
const SearchText = Query.optional();
/** The longest host name, with its prefix. */
const LONGEST_HOST = HOST_PREFIX.length + 253;
/** Search text that may be a host. */
const HostText = text(LONGEST_HOST).optional();

export const IdentitiesQuery = z.object({
  q: HostText,
  kind: z.enum(["services", "community"]).default("services"),
  state: z.enum(["active", "suspended"]).optional(),
  risk: z.enum(RISKS).optional(),
  held: Yes,
  leaked: Yes,
  cursor: Cursor.optional(),
  limit: Limit,
});

export const OwnersQuery = z.object({
  q: SearchText,
  role: z.enum(["owner", "administrator"]).optional(),
  state: z.enum(["active", "disabled"]).optional(),
  cursor: OwnerId.optional(),
  limit: Limit,
});

export const HostsQuery = z.object({ q: HostText, held: Yes, cursor: text(253).optional(), limit: Limit });

export const TasksQuery = z.object({
  q: SearchText,
  state: z.enum(TASK_STATES).optional(),
  payment_mode: PaymentModeField.optional(),
  visibility: z.enum(["listed", "unlisted"]).optional(),
  held: Yes,
  cursor: Cursor.optional(),
  limit: Limit,
});

export const SettlementsQuery = z.object({
  q: SearchText,
  state: z.enum(["recorded", "approved", "void"]).optional(),
  payment_mode: PaymentModeField.optional(),
  cursor: Cursor.optional(),
  limit: Limit,
});

export const REPORT_STATES = ["open", "upheld", "dismissed"] as const;

export const REPORT_KINDS = ["post", "agent", "offer", "task", "message"] as const;

export const ReportsQuery = z.object({
  state: z.enum(REPORT_STATES).default("open"),
  kind: z.enum(REPORT_KINDS).optional(),
  cursor: id("rpt").optional(),
  limit: Limit,
});

export const DisputesQuery = z.object({
  state: z.enum(["open", "resolved"]).default("open"),
  cursor: id("dsp").optional(),
  limit: Limit,
});

export const HeldPostsQuery = z.object({ cursor: id("pst").optional(), limit: Limit });

export const AppealsQuery = z.object({
  state: z.enum(["open", "decided"]).default("open"),
  cursor: id("mod").optional(),
  limit: Limit,
});

export const EVENT_STATES = ["received", "processed", "ignored", "failed"] as const;

export const EventsQuery = z.object({
  state: z.enum(EVENT_STATES).optional(),
  cursor: EventId.optional(),
  limit: Limit,
});

/** A cursor of a list by age. */
const AgeCursor = z
  .string()
  .max(120)
  .transform((value, ctx) => {
    const place = decodeAgeCursor(value);
    if (place) return place;
    ctx.addIssue({ code: "custom", message: "must be a cursor of this list" });
    return z.NEVER;
  });
export const TransfersQuery = z.object({ cursor: AgeCursor.optional(), limit: Limit });

export const JOB_STATES = ["queued", "running", "failing", "failed"] as const;

export const JobsQuery = z.object({
  state: z.enum(JOB_STATES).optional(),
  cursor: Cursor.optional(),
  limit: Limit,
});

export const ACTOR_KINDS = ["administrator", "owner", "service", "profile", "system", "visitor"] as const;
const Day = z.iso.date("must be a date, such as 2026-11-21");

export const AuditQuery = z.object({
  actor: text(254).optional(),
  kind: z.enum(ACTOR_KINDS).optional(),
  action: z
    .string()
    .regex(/^[a-z_]{1,40}$/, "must be the name of an action, such as suspend")
    .optional(),
  subject: HostText,
  from: Day.optional(),
  to: Day.optional(),
  cursor: Cursor.optional(),
  limit: Limit,
});

// Answers

export const SuspensionAnswer = z.object({ public_id: PublicId, state: z.enum(["active", "suspended"]) });
export const HoldAnswer = z.object({ subject: z.string(), held: z.boolean() });
export const RiskAnswer = z.object({ public_id: z.string(), risk: z.enum(RISKS) });
export const QuotaAnswer = z.object({ public_id: PublicId, quota: z.enum(QUOTA_NAMES), limit: QuotaLimit });
export const PermissionAnswer = z.object({ public_id: PublicId, denied_actions: z.array(z.string()) });
export const DomainAnswer = z.object({ public_id: PublicId, verification_status: z.string(), found: z.string() });
export const WithdrawAnswer = z.object({ post_id: id("pst"), withdrawn: z.boolean(), reports_upheld: z.int() });
export const ReportAnswer = z.object({ report_id: id("rpt"), state: z.enum(["upheld", "dismissed"]) });
const Account = { owner_id: OwnerId, email: z.string() };
const Ended = { ...Account, sessions_ended: z.int() };
const Password = z.string().meta({ description: "The new password, shown only once." });
export const PromotionAnswer = z.object({ ...Account, role: z.literal("administrator"), password: Password });
export const DemotionAnswer = z.object({ ...Account, role: z.literal("owner") });
export const DisabledAnswer = z.object({ ...Account, disabled: z.boolean() });
export const SessionsAnswer = z.object(Ended);
export const NewPasswordAnswer = z.object({ ...Ended, factors_removed: z.int(), password: Password });
export const ReissueAnswer = z.object({
  public_id: PublicId,
  management_token: z.string().meta({ description: "The new management token, shown only once." }),
  held: z.boolean(),
  suspended: z.boolean(),
});
export const JobAnswer = z.object({ job_id: JobId });
export const EventAnswer = z.object({ event_id: z.string() });

/** An entry of the audit trail, as pages show it. */
export type RecordedEvent = {
  id: string;
  at: Date;
  actorKind: string;
  actorId: string;
  /** The actor's current name; for an administrator, the name at the time. */
  actorName: string | null;
  action: string;
  subjectKind: string;
  subjectId: string;
  reason: string | null;
  data: Record<string, unknown> | null;
  /** The current names of what the entry refers to, by ID. */
  names: Readonly<Record<string, string>>;
};

/** What an act would do, one sentence for each effect. */
const Lines = { preview: z.array(z.string()).optional() };

const MoneyActField = z.object({
  act_id: id("act"),
  kind: z.enum(["refund", "reverse_transfer", "send_transfer"]),
  settlement_id: id("stl"),
  amount_pence: Pence,
  state: z.enum(["queued", "sending", "pending", "done", "failed"]),
  problem: z.string().nullable(),
  created_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
export type MoneyActWire = z.infer<typeof MoneyActField>;

export const CompletedAnswer = z.object({
  ...Lines,
  task_id: id("tsk").optional(),
  state: z.literal("completed").optional(),
  settlement: Settlement.optional(),
});
export const SettlementAnswer = z.object({ ...Lines, settlement: Settlement.optional() });
export const MoneyAnswer = z.object({ ...SettlementAnswer.shape, act: MoneyActField.optional() });
export const ResolutionAnswer = z.object({
  ...Lines,
  dispute: Dispute.optional(),
  settlement: Settlement.optional(),
  act: MoneyActField.optional(),
});

import { z } from "zod";
import type { QuotaName } from "#lib/identity/quotas.ts";
import { decodeAgeCursor } from "#lib/kernel/cursor.ts";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { Cursor, id, Limit, PaymentModeField, Query, text } from "#lib/kernel/fields.ts";
import { GATED_ACTIONS } from "#lib/tasks/gates.ts";
import { TASK_STATES } from "#lib/tasks/machine.ts";

// Values and queries of the administrators' console. They are not part of the published API.

/** The actions that can be denied: every gated action of the workflow, and posting in the community. */
export const DENIABLE = [...GATED_ACTIONS, "post"] as const;
export type Deniable = (typeof DENIABLE)[number];
export const RISKS = ["low", "normal", "high"] as const;
export type Risk = (typeof RISKS)[number];
export const RESOLUTIONS = ["provider", "requester", "split"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const QUOTA_NAMES = ["offers", "tasks"] as const satisfies readonly QuotaName[];

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

export const EventId = z
  .string()
  .regex(/^evt_[A-Za-z0-9_]{1,100}$/, "must be the ID of a Stripe event, such as evt_123");

// Lists

const Yes = z.literal("1").optional();
const SearchText = Query.optional();
/** A page of a list in the order of `seq`, or of one whose cursor is of another kind. */
const Paged = { cursor: Cursor.optional(), limit: Limit };
const pagedBy = <Place extends z.ZodType>(cursor: Place) => ({ cursor: cursor.optional(), limit: Limit });
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
  ...Paged,
});

export const OwnersQuery = z.object({
  q: SearchText,
  role: z.enum(["owner", "administrator"]).optional(),
  state: z.enum(["active", "disabled"]).optional(),
  ...pagedBy(id("own")),
});

export const HostsQuery = z.object({ q: HostText, held: Yes, ...pagedBy(text(253)) });

export const TasksQuery = z.object({
  q: SearchText,
  state: z.enum(TASK_STATES).optional(),
  payment_mode: PaymentModeField.optional(),
  visibility: z.enum(["listed", "unlisted"]).optional(),
  held: Yes,
  ...Paged,
});

export const SettlementsQuery = z.object({
  q: SearchText,
  state: z.enum(["recorded", "approved", "void"]).optional(),
  payment_mode: PaymentModeField.optional(),
  ...Paged,
});

export const REPORT_STATES = ["open", "upheld", "dismissed"] as const;

export const REPORT_KINDS = ["post", "agent", "offer", "task", "message"] as const;

export const ReportsQuery = z.object({
  state: z.enum(REPORT_STATES).default("open"),
  kind: z.enum(REPORT_KINDS).optional(),
  ...pagedBy(id("rpt")),
});

export const DisputesQuery = z.object({
  state: z.enum(["open", "resolved"]).default("open"),
  ...pagedBy(id("dsp")),
});

export const HeldPostsQuery = z.object(pagedBy(id("pst")));

export const AppealsQuery = z.object({
  state: z.enum(["open", "decided"]).default("open"),
  ...pagedBy(id("mod")),
});

export const EVENT_STATES = ["received", "processed", "ignored", "failed"] as const;

export const EventsQuery = z.object({
  state: z.enum(EVENT_STATES).optional(),
  ...pagedBy(EventId),
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
export const TransfersQuery = z.object(pagedBy(AgeCursor));

export const JOB_STATES = ["queued", "running", "failing", "failed"] as const;

export const JobsQuery = z.object({
  state: z.enum(JOB_STATES).optional(),
  ...Paged,
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
  ...Paged,
});

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

/** An act on a settlement's money, as the administrator who ordered it reads it. */
export type MoneyActWire = {
  act_id: string;
  kind: "refund" | "reverse_transfer" | "send_transfer";
  settlement_id: string;
  amount_pence: number;
  state: "queued" | "sending" | "pending" | "done" | "failed";
  problem: string | null;
  created_at: string;
  ended_at: string | null;
};

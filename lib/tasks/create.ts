import type { z } from "zod";
import { type AuditEntry, entriesOf, recordedFor } from "#lib/db/audit.ts";
import { batchedWrite, impatientWith } from "#lib/db/batch.ts";
import { boolean, select } from "#lib/db/columns.ts";
import { type Attempt, fingerprint, inProgress, replay, STORED } from "#lib/db/idempotency.ts";
import { saltedHash } from "#lib/db/log-statement.ts";
import type { Operation } from "#lib/db/operations.ts";
import { statement } from "#lib/db/statement.ts";
import { quotaExceeded, quotaOf } from "#lib/identity/quotas.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { clip, countCharacters } from "#lib/kernel/text.ts";
import { requireGates } from "./gates.ts";
import { preparedFrom } from "./prepare.ts";
import { columnName, NOTHING_YET, sentAs, TASK, type TaskRow } from "./row.ts";
import { type CreateTaskInput, SUMMARY_CHARACTERS } from "./schema.ts";
import { noticeOfSelection, requireProvider } from "./select.ts";
import { requireTerms } from "./terms/check.ts";
import type { OfferReference } from "./terms/schema.ts";
import { taskView } from "./view.ts";

// Posts a task. This is the most frequent write, so it is not a transaction of several statements like other verbs, but one statement for
// all tasks that are posted at the same moment: one round trip and one commit. With a transaction for each task, creation ran at 62 to 78 %
// of the bare server's rate, and as one statement at 106 to 146 % (docs/performance.md).
//
// What must stay true: one `client_request_id` makes one task, for ever and under any concurrency, and returns the same answer; the quota
// is never exceeded; task, audit row, log statement and notice commit together or not at all; a requester whose row is locked delays no
// other. `create.itest.ts`, `quotas.itest.ts` and `lib/db/batch.itest.ts` hold it.

const DERIVED_TITLE_CHARACTERS = 80;
/** How long a claim may wait for an agreement, if the requester says nothing. */
const CLAIM_HOURS = 72;

/** The columns that a new task sets; the others have their defaults. */
const SET = [
  "id",
  "requesterId",
  "selectedProviderId",
  "title",
  "brief",
  "summary",
  "skill",
  "budgetPence",
  "visibility",
  "paymentMode",
  "clientRequestId",
  "expectedFiles",
  "createdAt",
  "updatedAt",
  "expiresAt",
  "prepared",
  "claimHours",
  "silenceDays",
  "openTo",
  "rehearsal",
  "offerId",
  "offerRevision",
] as const satisfies readonly (keyof typeof TASK)[];

/** The other values of a new task, with their types. */
const OTHER_VALUES = {
  operation: "text",
  fingerprint: "bytea",
  body: "text",
  quota: "integer",
  entries: "jsonb",
} as const;

type OtherValue = keyof typeof OTHER_VALUES;

const COLUMNS = SET.map(columnName).join(", ");
const VALUES = [
  ...SET.map((column) => ({ name: columnName(column), type: TASK[column].type })),
  ...Object.entries(OTHER_VALUES).map(([name, type]) => ({ name, type })),
];
const REQUESTER = SET.indexOf("requesterId");

/** A row for each of the new tasks. */
const given = `given AS MATERIALIZED (
  SELECT * FROM unnest(${VALUES.map(({ type }, index) => `(SELECT $${index + 1}::${type}[])`).join(", ")})
    WITH ORDINALITY AS given (${VALUES.map(({ name }) => name).join(", ")}, member)
)`;
/**
 * `take_task_room` (see the migration `quotas`) comes first, for the requesters in one order, and locks until the commit, so that tasks of
 * one requester are created one at a time.
 */
const admitted = `admitted AS MATERIALIZED (
  SELECT member, take_task_room(requester_id, created_at, quota) AS room
  FROM impatient, (SELECT * FROM given ORDER BY requester_id) AS sorted
)`;
/** A second request with the same key waits here for the first, inserts nothing, and then reads the stored answer. */
const attempted = `attempted AS (
  INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
  SELECT requester_id, operation, client_request_id, fingerprint, 201, body, created_at
  FROM given JOIN admitted USING (member) WHERE room ON CONFLICT DO NOTHING RETURNING actor_id
)`;
const made = `made AS (
  INSERT INTO tasks (${COLUMNS}) SELECT ${COLUMNS} FROM given JOIN attempted ON actor_id = requester_id RETURNING id
)`;
const noticed = `noticed AS (
  ${noticeOfSelection("SELECT id AS task, selected_provider_id AS provider, created_at AS at FROM made JOIN given USING (id)")}
)`;
const recorded = recordedFor("(SELECT entries FROM made JOIN given USING (id))");

const insertOnce = batchedWrite(
  "task.create",
  { made: boolean, room: boolean },
  `WITH ${[given, impatientWith("given"), admitted, attempted, made, recorded, noticed].join(", ")}
   SELECT member::int AS member, made.id IS NOT NULL AS made, room FROM admitted JOIN given USING (member) LEFT JOIN made USING (id)`,
  (values) => values[REQUESTER],
);

const findStored = statement(
  "task.create_replay",
  STORED,
  `SELECT ${select(STORED)} FROM idempotency_keys WHERE actor_id = $1 AND operation = $2 AND key = $3`,
);

/** What a new task is made of: the fields of a request, and the offer that they come from, if they do. */
export type Draft = z.output<typeof CreateTaskInput> & { offer?: OfferReference; rehearsal?: true };

/**
 * Posts a task. The same `client_request_id` always returns the same task.
 * @throws ApiError gate_refused, live_unavailable, invalid_input, not_found (selected provider), request_id_conflict,
 * quota_exceeded
 */
export function createTask(ctx: ServiceContext, input: z.output<typeof CreateTaskInput>): Promise<Reply<JsonText>> {
  return postOnce(ctx, "jobs/create", input, async () => input);
}

/**
 * Posts the task of a draft once for each `client_request_id` of this operation.
 * @param draftOf may throw: a request that is refused now still gets the answer that it had before
 */
export async function postOnce(
  ctx: ServiceContext,
  operation: Operation,
  request: { client_request_id: string },
  draftOf: () => Promise<Draft>,
): Promise<Reply<JsonText>> {
  const { actor } = ctx;
  const now = ctx.clock.now();
  const key = request.client_request_id;
  const attempt: Attempt = { actorId: actor.id, operation, key, fingerprint: fingerprint(request), at: now };
  const admitted = await draftOf()
    .then(async (input) => ({ input, prepared: preparedFrom(ctx, input), provider: await admit(ctx, input) }))
    .catch(refusalOf);
  if (admitted instanceof ApiError) {
    // A retry gets the first answer, even if the same request would be refused now.
    const [stored] = await findStored(actor.id, operation, key);
    if (stored) return replay(stored, attempt);
    throw admitted;
  }

  const { input, prepared, provider } = admitted;
  const task: TaskRow = {
    ...NOTHING_YET,
    id: newId("tsk"),
    seq: "0",
    version: 1,
    title: input.title ?? titleFrom(input.brief),
    brief: input.brief,
    summary: clip(input.brief, SUMMARY_CHARACTERS),
    skill: input.skill ?? null,
    budgetPence: input.budget_pence,
    visibility: input.visibility,
    paymentMode: input.payment_mode,
    state: "open",
    openTo: input.open_to ?? "claims",
    clientRequestId: input.client_request_id,
    expectedFiles: input.expected_files ?? null,
    missingFiles: input.expected_files?.map(({ name }) => name) ?? null,
    createdAt: now,
    updatedAt: now,
    expiresAt: secondsAfter(now, input.expires_in_seconds ?? env().taskTtlSeconds),
    claimHours: input.claim_hours ?? CLAIM_HOURS,
    silenceDays: env().silenceDays,
    requesterId: actor.id,
    requesterName: actor.name,
    requesterDomain: actor.domainStatus,
    selectedProviderId: input.provider_public_id ?? null,
    selectedProviderName: provider?.name ?? null,
    selectedProviderDomain: provider?.domain ?? null,
    prepared,
    preparedDueAt: prepared?.terms.due_at ?? null,
    rehearsal: input.rehearsal ?? false,
    offerId: input.offer?.offer_id ?? null,
    offerRevision: input.offer?.revision ?? null,
  };
  const body = JSON.stringify({ ok: true, content_trust: "untrusted", task: taskView(task, actor, now) });
  const others: Record<OtherValue, unknown> = {
    operation,
    fingerprint: attempt.fingerprint,
    body,
    quota: quotaOf("tasks", actor),
    entries: entriesOf(ctx, entriesAbout(task), now),
  };
  const [inserted] = await insertOnce(
    ...SET.map((column) => sentAs(column, task[column])),
    ...Object.keys(OTHER_VALUES).map((name) => others[name as OtherValue]),
  );
  if (inserted?.made) return new Reply(201, new JsonText(body));
  const [stored] = await findStored(actor.id, operation, key);
  if (stored) return replay(stored, attempt);
  if (!inserted?.room) throw quotaExceeded("tasks", actor);
  throw inProgress();
}

/** What the audit trail says of a new task, and of the selection of its provider. */
function entriesAbout(task: TaskRow): AuditEntry[] {
  const { id, requesterId, selectedProviderId, budgetPence, paymentMode, visibility, skill, expiresAt, prepared } =
    task;
  const { hash, salt } = saltedHash(task.brief);
  const facts = {
    requester: requesterId,
    provider: selectedProviderId,
    budget_pence: budgetPence,
    payment_mode: paymentMode,
    visibility,
    brief_hash: hash,
    ...(task.openTo === "quotes" ? { open_to: task.openTo } : {}),
    ...(task.rehearsal ? { rehearsal: true } : {}),
    ...(prepared ? { accept: prepared.accept, prepared_at: prepared.at } : {}),
  };
  const data = {
    state: "open",
    requester: requesterId,
    provider: selectedProviderId,
    skill,
    budget_pence: budgetPence,
    payment_mode: paymentMode,
    visibility,
    expires_at: expiresAt.toISOString(),
  };
  const subject = { subjectKind: "task", subjectId: id } as const;
  const event = { taskId: id, data };
  const created: AuditEntry = {
    ...subject,
    action: "create",
    data: { to: "open" },
    event: { ...event, type: "task.created", recipients: [requesterId], log: { facts, textSalt: salt } },
  };
  const selected: AuditEntry = {
    ...subject,
    action: "select",
    event: { ...event, type: "task.selected", recipients: [selectedProviderId] },
  };
  return selectedProviderId ? [created, selected] : [created];
}

/** Checks that the task may be created. @returns the selected provider, if there is one */
async function admit(
  ctx: ServiceContext,
  input: z.output<typeof CreateTaskInput>,
): Promise<Awaited<ReturnType<typeof requireProvider>> | undefined> {
  const { actor } = ctx;
  const { provider_public_id: providerId, terms } = input;
  if (input.open_to === "quotes" && input.visibility !== "listed")
    throw invalidInput("open_to", "must be claims for an unlisted task, which no provider could find to quote for");
  if (input.open_to === "quotes" && providerId)
    throw invalidInput("open_to", "must be claims with provider_public_id, because that provider is selected already");
  if (input.expected_files && !env().files)
    throw invalidInput("expected_files", "must be left out: this service has no files");
  const { paymentMode, liveMinPence, liveMaxPence } = env();
  const isLive = input.payment_mode === "LIVE";
  if (isLive && paymentMode === "LIVE" && input.budget_pence < liveMinPence)
    throw invalidInput("budget_pence", `must be at least ${liveMinPence} for a LIVE task`);
  if (isLive && paymentMode === "LIVE" && input.budget_pence > liveMaxPence)
    throw invalidInput("budget_pence", `must be at most ${liveMaxPence} for a LIVE task`);
  // Where there is no LIVE, that is the refusal, whatever the amount.
  const money = { budgetPence: input.budget_pence, paymentMode: paymentMode === "LIVE" ? input.payment_mode : "TEST" };
  if (terms) requireTerms(ctx, money, terms, "terms.");
  const provider = providerId === undefined ? undefined : await requireProvider(actor.id, providerId);
  if (isLive && paymentMode !== "LIVE")
    throw new ApiError(
      "live_unavailable",
      "LIVE payments are not configured on this installation. Create the task with payment_mode TEST.",
    );
  requireGates(actor, "create", {
    held: false,
    skill: null,
    requesterId: actor.id,
    selectedProviderId: providerId ?? null,
    dismissedIds: [],
    openTo: input.open_to ?? "claims",
    deal: {
      amountPence: input.budget_pence,
      requester: { id: actor.id, host: null, domain: actor.domainStatus },
      provider: provider && providerId ? { ...provider, id: providerId } : undefined,
      termsHash: null,
      approval: null,
    },
  });
  // What may be agreed was judged by the budget.
  if (terms) requireGates(actor, "prepare");
  return provider;
}

function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** The first line of the brief, short enough for a heading. */
function titleFrom(brief: string): string {
  const line = brief.split("\n", 1)[0]?.trim() ?? "";
  return countCharacters(line) <= DERIVED_TITLE_CHARACTERS
    ? line
    : `${clip(line, DERIVED_TITLE_CHARACTERS - 1).trimEnd()}…`;
}

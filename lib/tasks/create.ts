import type { z } from "zod";
import { accessData } from "#lib/db/audit.ts";
import { batchedWrite, impatientWith } from "#lib/db/batch.ts";
import { boolean, select } from "#lib/db/columns.ts";
import { type Attempt, fingerprint, inProgress, replay, STORED } from "#lib/db/idempotency.ts";
import { firstOrigin, saltedHash, stated, statementParts } from "#lib/db/log-statement.ts";
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
import { NOTHING_YET, TASK, type TaskRow } from "./row.ts";
import { type CreateTaskInput, SUMMARY_CHARACTERS } from "./schema.ts";
import { requireProvider } from "./select.ts";
import { requireTerms } from "./terms/check.ts";
import type { OfferReference } from "./terms/schema.ts";
import { taskView } from "./view.ts";

// Posts a task. What must stay true: one `client_request_id` makes one task, for ever and under any concurrency, and returns the same
// answer; the quota is never exceeded; task, audit row, log statement and notice commit together or not at all; a requester whose row is
// locked delays no other. `create.itest.ts`, `quotas.itest.ts` and `lib/db/batch.itest.ts` hold it.

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
  eventId: "text",
  selectionId: "text",
  requestId: "text",
  quota: "integer",
  eventData: "jsonb",
  accessData: "jsonb",
  logHead: "text",
  logTail: "text",
  logTextSalt: "text",
  logOrigin: "text",
} as const;

const nameOf = (column: (typeof SET)[number]) => TASK[column].sql?.replace("t.", "") ?? "";
const COLUMNS = SET.map(nameOf).join(", ");
const GIVEN = [
  ...SET.map((key) => ({ key, name: nameOf(key), type: TASK[key].type })),
  ...(Object.keys(OTHER_VALUES) as (keyof typeof OTHER_VALUES)[]).map((key) => ({
    key,
    name: `"${key}"`,
    type: OTHER_VALUES[key],
  })),
];
type Value = (typeof GIVEN)[number]["key"];
const REQUESTER = GIVEN.findIndex(({ key }) => key === "requesterId");

// The key, the task, its events and the notice to the selected provider's profile are one statement: one round trip and one commit for
// the most frequent write, and for all tasks that are posted at the same moment. A second request with the same key waits for the
// first, inserts nothing, and reads the stored answer. `take_task_room` (see the migration `quotas`) comes first, for the requesters
// in one order, and locks until the commit, so that tasks of one requester are created one at a time.
const insertOnce = batchedWrite(
  "task.create",
  { made: boolean, room: boolean },
  `WITH given AS MATERIALIZED (
     SELECT * FROM unnest(${GIVEN.map(({ type }, index) => `(SELECT $${index + 1}::${type}[])`).join(", ")})
       WITH ORDINALITY AS given (${GIVEN.map(({ name }) => name).join(", ")}, member)
   ), ${impatientWith("given")}, admitted AS MATERIALIZED (
     SELECT member, take_task_room(requester_id, created_at, quota) AS room
     FROM impatient, (SELECT * FROM given ORDER BY requester_id) AS sorted
   ), attempt AS (
     INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
     SELECT requester_id, operation, client_request_id, fingerprint, 201, body, created_at
     FROM given JOIN admitted USING (member) WHERE room ON CONFLICT DO NOTHING RETURNING actor_id
   ), made AS (
     INSERT INTO tasks (${COLUMNS}) SELECT ${COLUMNS} FROM given JOIN attempt ON actor_id = requester_id RETURNING id
   ), recorded AS (
     INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data, request_id,
       type, task_id, recipients, event_data)
     SELECT event.id, created_at, 'service', requester_id, event.action, 'task', given.id,
       coalesce(event.data || "accessData", event.data, "accessData"), "requestId",
       event.type, given.id, ARRAY[event.recipient], "eventData"
     FROM made JOIN given USING (id) CROSS JOIN LATERAL (
       VALUES (1, "eventId", 'create', '{"to":"open"}'::jsonb, 'task.created', requester_id),
         (2, "selectionId", 'select', NULL, 'task.selected', selected_provider_id)
     ) AS event (place, id, action, data, type, recipient)
     WHERE event.recipient IS NOT NULL ORDER BY member, event.place
     RETURNING seq, type, task_id
   ), noticed AS (
     INSERT INTO activities (seq, recipient_id, kind, task_id, at)
     SELECT next_activity_seq(), profiles.id, 'task_selected', given.id, created_at
     FROM made JOIN given USING (id) JOIN profiles ON profiles.id = selected_provider_id
   ), ${stated(`(
     SELECT seq, task_id AS chain, type AS event, "logHead" AS head, "logTail" AS tail, "logTextSalt" AS text_salt, "logOrigin" AS first_origin
     FROM recorded JOIN given ON given.id = task_id WHERE type = 'task.created'
   )`)}
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
  const access = accessData(actor);
  const values: Record<Value, unknown> = {
    ...task,
    prepared: prepared && JSON.stringify(prepared),
    expectedFiles: task.expectedFiles && JSON.stringify(task.expectedFiles),
    operation,
    fingerprint: attempt.fingerprint,
    body,
    eventId: newId("evt"),
    selectionId: newId("evt"),
    requestId: ctx.requestId,
    eventData: JSON.stringify(creationData(task)),
    accessData: access ? JSON.stringify(access) : null,
    quota: quotaOf("tasks", actor),
    ...logValues(task),
  };
  const [inserted] = await insertOnce(...GIVEN.map(({ key }) => values[key]));
  if (inserted?.made) return new Reply(201, new JsonText(body));
  const [stored] = await findStored(actor.id, operation, key);
  if (stored) return replay(stored, attempt);
  if (!inserted?.room) throw quotaExceeded("tasks", actor);
  throw inProgress();
}

/** The statement about the new task in the transparency log. */
function logValues(task: TaskRow) {
  const { requesterId, selectedProviderId, budgetPence, paymentMode, visibility, brief, prepared } = task;
  const { hash, salt } = saltedHash(brief);
  const { head, tail, textSalt } = statementParts(
    { kind: "service", id: requesterId },
    {
      facts: {
        requester: requesterId,
        provider: selectedProviderId,
        budget_pence: budgetPence,
        payment_mode: paymentMode,
        visibility,
        brief_hash: hash,
        ...(task.openTo === "quotes" ? { open_to: task.openTo } : {}),
        ...(task.rehearsal ? { rehearsal: true } : {}),
        ...(prepared ? { accept: prepared.accept, prepared_at: prepared.at } : {}),
      },
      textSalt: salt,
    },
    { type: "task.created", at: task.createdAt, chain: task.id },
  );
  return { logHead: head, logTail: tail, logTextSalt: textSalt, logOrigin: firstOrigin() };
}

function creationData(task: TaskRow) {
  const { requesterId, selectedProviderId, budgetPence, paymentMode, visibility, skill, expiresAt } = task;
  return {
    state: "open",
    requester: requesterId,
    provider: selectedProviderId,
    skill,
    budget_pence: budgetPence,
    payment_mode: paymentMode,
    visibility,
    expires_at: expiresAt.toISOString(),
  };
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

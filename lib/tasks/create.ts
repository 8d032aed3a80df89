import type { z } from "zod";
import { boolean, domainStatus, integer, type RowOf, text } from "#lib/db/columns.ts";
import { fingerprint, inProgress, replay, STORED } from "#lib/db/idempotency.ts";
import { statement } from "#lib/db/statement.ts";
import { quotaExceeded, quotaOf } from "#lib/identity/quotas.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, invalidInput, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { clip, countCharacters } from "#lib/kernel/text.ts";
import { requireGates } from "./gates.ts";
import { NOTHING_YET, type TaskRow } from "./row.ts";
import { type CreateTaskInput, SUMMARY_CHARACTERS } from "./schema.ts";
import { taskView } from "./view.ts";

const OPERATION = "jobs/create";
const DERIVED_TITLE_CHARACTERS = 80;

const PROVIDER = { name: text, domain: domainStatus };
type Provider = RowOf<typeof PROVIDER>;

const findProvider = statement(
  "task.selected_provider",
  PROVIDER,
  "SELECT name, domain_status AS domain FROM identities WHERE id = $1 AND state = 'active'",
);

// Key, task, record and the notice to the selected provider's profile in one statement: one journey to the database and one
// commit for the most frequent write. Who comes second with the same key waits for the first, inserts nothing, and reads the
// stored answer. Room is taken first (see `take_task_room` in migration quotas), under a lock that lasts until the
// commit: of one requester, one task is made at a time.
const insertOnce = statement(
  "task.create",
  { made: integer, room: boolean },
  `WITH quota AS MATERIALIZED (
     SELECT take_task_room($2, $12, $18) AS room
   ), attempt AS (
     INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
     SELECT $2, '${OPERATION}', $11, $14, 201, $15, $12 FROM quota WHERE room ON CONFLICT DO NOTHING RETURNING actor_id
   ), made AS (
     INSERT INTO tasks (id, requester_id, selected_provider_id, title, brief, summary, skill, budget_pence, visibility, payment_mode,
       client_request_id, created_at, updated_at, expires_at)
     SELECT $1, actor_id, $3, $4, $5, $6, $7, $8, $9::visibility, $10::payment_mode, $11, $12, $12, $13 FROM attempt
     RETURNING id
   ), recorded AS (
     INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data, request_id)
     SELECT $16, $12, 'service', $2, 'create', 'task', id, '{"to":"open"}', $17 FROM made
   ), noticed AS (
     INSERT INTO activities (seq, recipient_id, kind, task_id, at)
     SELECT next_activity_seq(), profiles.id, 'task_selected', made.id, $12 FROM made JOIN profiles ON profiles.id = $3
   )
   SELECT (SELECT count(*)::int FROM made) AS made, room FROM quota`,
);

const findStored = statement(
  "task.create_replay",
  STORED,
  `SELECT fingerprint, status, body FROM idempotency_keys WHERE actor_id = $1 AND operation = '${OPERATION}' AND key = $2`,
);

/**
 * Posts a task. One `client_request_id` makes one task, for ever.
 * @throws ApiError gate_refused, live_unavailable, invalid_input, not_found (selected provider), request_id_conflict,
 * quota_exceeded
 */
export async function createTask(
  ctx: ServiceContext,
  input: z.output<typeof CreateTaskInput>,
): Promise<Reply<JsonText>> {
  const { actor } = ctx;
  const now = ctx.clock.now();
  const attempt = {
    actorId: actor.id,
    operation: OPERATION,
    key: input.client_request_id,
    fingerprint: fingerprint(input),
    at: now,
  };
  const provider = await admit(ctx, input).catch(refusalOf);
  if (provider instanceof ApiError) {
    // What was made stays made: a retry is answered as the first time, whatever has changed since.
    const [stored] = await findStored(actor.id, input.client_request_id);
    if (stored) return replay(stored, attempt);
    throw provider;
  }

  const task: TaskRow = {
    ...NOTHING_YET,
    id: newId("tsk"),
    seq: "0",
    title: input.title ?? titleFrom(input.brief),
    brief: input.brief,
    summary: clip(input.brief, SUMMARY_CHARACTERS),
    skill: input.skill ?? null,
    budgetPence: input.budget_pence,
    visibility: input.visibility,
    paymentMode: input.payment_mode,
    state: "open",
    clientRequestId: input.client_request_id,
    createdAt: now,
    updatedAt: now,
    expiresAt: secondsAfter(now, input.expires_in_seconds ?? env().taskTtlSeconds),
    requesterId: actor.id,
    requesterName: actor.name,
    requesterDomain: actor.domainStatus,
    selectedProviderId: input.provider_public_id ?? null,
    selectedProviderName: provider?.name ?? null,
    selectedProviderDomain: provider?.domain ?? null,
  };
  const body = JSON.stringify({ ok: true, content_trust: "untrusted", task: taskView(task, actor, now) });
  const [inserted] = await insertOnce(
    ...[task.id, actor.id, task.selectedProviderId, task.title, task.brief, task.summary, task.skill, task.budgetPence],
    ...[
      task.visibility,
      task.paymentMode,
      task.clientRequestId,
      now,
      task.expiresAt,
      attempt.fingerprint,
      body,
      newId("evt"),
      ctx.requestId,
      quotaOf("tasks", actor),
    ],
  );
  if (inserted?.made === 1) return new Reply(201, new JsonText(body));
  const [stored] = await findStored(actor.id, input.client_request_id);
  if (stored) return replay(stored, attempt);
  if (!inserted?.room) throw quotaExceeded("tasks", actor);
  throw inProgress();
}

/** Checks what the creation depends on, and gives the selected provider, if there is one. */
async function admit(
  { actor }: ServiceContext,
  input: z.output<typeof CreateTaskInput>,
): Promise<Provider | undefined> {
  const { provider_public_id: providerId } = input;
  if (providerId === actor.id) throw invalidInput("provider_public_id", "must be another identity than the requester");
  const { paymentMode, liveMinPence } = env();
  const isLive = input.payment_mode === "LIVE";
  if (isLive && paymentMode === "LIVE" && input.budget_pence < liveMinPence)
    throw invalidInput("budget_pence", `must be at least ${liveMinPence} for a LIVE task`);
  const [provider] = providerId ? await findProvider(providerId) : [];
  if (providerId && !provider) throw notFound();
  if (isLive && paymentMode !== "LIVE")
    throw new ApiError(
      "live_unavailable",
      "LIVE payments are not configured on this installation. Create the task with payment_mode TEST.",
    );
  requireGates(actor, "create");
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

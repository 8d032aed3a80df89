import { audit } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import type { Connection } from "#lib/db/connection.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { gateTask } from "./actions.ts";
import { requireRole, requireState, requireVisible } from "./admit.ts";
import { advance } from "./advance.ts";
import { stepTask, taskAfter, viewAfter } from "./change.ts";
import { taskEvent } from "./events.ts";
import { requireGates } from "./gates.ts";
import { STEPS } from "./machine.ts";
import type { TaskRow } from "./row.ts";

const PROVIDER = { name: db.text, host: db.nullable(db.text), domain: db.domainStatus };
type Provider = db.RowOf<typeof PROVIDER>;

const findProvider = statement(
  "task.selected_provider",
  PROVIDER,
  "SELECT name, host, domain_status AS domain FROM identities WHERE id = $1 AND state = 'active'",
);

/** An identity that can be selected: an administrator has not suspended it. */
export async function activeProvider(providerId: string): Promise<Provider | undefined> {
  return (await findProvider(providerId))[0];
}

/** The identity that a requester selects, if it can do the task. @throws ApiError invalid_input, not_found */
export async function requireProvider(requesterId: string, providerId: string): Promise<Provider> {
  if (providerId === requesterId) throw invalidInput("provider_public_id", "must not be the requester itself");
  const provider = await activeProvider(providerId);
  if (provider) return provider;
  throw new ApiError(
    "not_found",
    "provider_public_id names no service identity. agents/directory.php lists those that can be chosen.",
  );
}

/** What a task says of the provider that is selected for it. */
const selectionOf = (id: string | null, provider?: Provider) => ({
  selectedProviderId: id,
  selectedProviderName: provider?.name ?? null,
  selectedProviderDomain: provider?.domain ?? null,
  selectedProviderHost: provider?.host ?? null,
});

/** SQL: tells a selected provider's profile, if it has one. @param selection rows of `task`, `provider` and `at` */
export const noticeOfSelection = (selection: string) =>
  `INSERT INTO activities (seq, recipient_id, kind, task_id, at)
   SELECT next_activity_seq(), profiles.id, 'task_selected', task, at FROM (${selection}) AS selection JOIN profiles ON profiles.id = provider`;

const notice = statement(
  "task.selection_notice",
  {},
  noticeOfSelection("SELECT $1::text AS provider, $2::text AS task, $3::timestamptz AS at"),
);

/**
 * Selects the only provider that may claim an open task, or lets anyone claim it. Both providers are told. Selecting the same one again
 * changes nothing.
 * @throws ApiError not_found, forbidden, state_conflict, task_expired, gate_refused, invalid_input
 */
export function selectProvider(ctx: ServiceContext, input: { task_id: string; provider_public_id: string | null }) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    requireRole(ctx, task, STEPS.select.by);
    const { provider_public_id: id } = input;
    const provider = id === null ? undefined : await requireProvider(task.requesterId, id);
    requireState(ctx, task, STEPS.select.from);
    if (id && task.dismissedIds.includes(id))
      throw stateConflict(
        "You have dismissed this provider from this task, so it cannot claim it. Select another one.",
      );
    const selected = { ...task, ...selectionOf(id, provider) };
    requireGates(ctx.actor, "select", gateTask(selected));
    if (id === task.selectedProviderId) return viewAfter(ctx, task);
    await recordSelection(tx, ctx, task, id);
    return taskAfter(tx, ctx, task.id);
  });
}

/** Selects a provider for an open task that the caller has locked, or nobody, and tells both. @returns what is different in the task */
export async function recordSelection(tx: Connection, ctx: ServiceContext, task: TaskRow, id: string | null) {
  const earlier = task.selectedProviderId;
  const about = { ...task, selectedProviderId: null };
  const data = { from: task.state, state: task.state };
  const deselected = taskEvent("task.deselected", about, data, id ? undefined : { facts: {} }, earlier);
  const changes = await advance(tx, ctx, task, "select", {
    set: { selectedProviderId: id },
    data: { provider: id },
    event: id
      ? taskEvent("task.selected", about, { ...data, provider: id }, { facts: { provider: id } }, id)
      : deselected,
  });
  if (id && earlier)
    await audit(tx, ctx, {
      action: "deselect",
      subjectKind: "task",
      subjectId: task.id,
      event: deselected,
    });
  // Last, because taking its number holds a lock that other transactions wait for.
  if (id) await notice.on(tx, id, task.id, ctx.clock.now());
  return changes;
}

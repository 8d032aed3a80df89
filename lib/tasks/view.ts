import type { Dispute, DisputeStatement } from "#lib/db/generated/client.ts";
import { type Actor, isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { CriterionResultWire } from "#lib/kernel/criteria/schema.ts";
import { availableActions, awaitedOf } from "./actions.ts";
import { type Clock, clocksOf, publicClocks, seenAt } from "./clocks.ts";
import type { DisputeWire } from "./disputes/schema.ts";
import { effectiveState } from "./machine.ts";
import { inputIn } from "./order/brief.ts";
import { COUNTED_QUOTES } from "./quotes/state.ts";
import type { TaskRow, TaskSummaryRow } from "./row.ts";
import type { TaskSummaryWire, TaskWire } from "./schema.ts";
import { sightOf } from "./visibility.ts";

function party(publicId: string | null, name: string | null, domain: ServiceActor["domainStatus"] | null) {
  return publicId === null
    ? null
    : { public_id: publicId, name: name ?? "", verified: domain !== null && isDomainProved(domain) };
}

/** What any visitor may read of a listed task. */
export function summaryView(row: TaskSummaryRow, now: Date): TaskSummaryWire {
  const task = seenAt(row, now);
  return {
    task_id: task.id,
    title: task.title,
    summary: task.summary,
    skill: task.skill,
    budget_pence: task.budgetPence,
    currency: "GBP",
    visibility: task.visibility,
    payment_mode: task.paymentMode,
    state: effectiveState(task, now),
    ...quotesView(task, now),
    parties: {
      requester: {
        public_id: task.requesterId,
        name: task.requesterName,
        verified: isDomainProved(task.requesterDomain),
      },
      selected_provider: party(task.selectedProviderId, task.selectedProviderName, task.selectedProviderDomain),
      provider: party(task.providerId, task.providerName, task.providerDomain),
    },
    agreement:
      task.contractId && task.contractState && task.termsHash && task.amountPence !== null
        ? {
            contract_id: task.contractId,
            state: task.contractState,
            terms_hash: task.termsHash,
            amount_pence: task.amountPence,
            requester_accepted_at: iso(task.requesterAcceptedAt),
            provider_accepted_at: iso(task.providerAcceptedAt),
          }
        : null,
    created_at: iso(task.createdAt),
    updated_at: iso(task.updatedAt),
    expires_at: iso(task.expiresAt),
    clocks: publicClocks(task).map(clockView),
    ...(task.isDisputed ? { disputed: true as const } : {}),
    ...(task.state === "submitted" && task.reviewEndsAt ? { review_ends_at: iso(task.reviewEndsAt) } : {}),
  };
}

/** How a task is claimed, and roughly how many quotes its requester can choose from. */
function quotesView(task: TaskSummaryRow, now: Date): Pick<TaskSummaryWire, "open_to" | "live_quotes"> {
  if (task.openTo === "claims") return { open_to: "claims" };
  const live = effectiveState(task, now) === "open" ? (task.quoteEnds ?? []).filter((end) => end > now).length : 0;
  return { open_to: "quotes", live_quotes: live === 0 ? "0" : live < COUNTED_QUOTES ? "1-4" : "5+" };
}

/** The task as this actor may read it. The caller has already checked that it is not hidden from them. */
export function taskView(row: TaskRow, actor: Actor, now: Date): TaskWire {
  const task = seenAt(row, now);
  const sight = sightOf(task, actor, now);
  // Only lists of a party's tasks know of its messages.
  const { ownMessages } = task;
  const summary = summaryView(task, now);
  return {
    ...summary,
    ...(task.rehearsal ? { rehearsal: true as const, parties: byHouse(summary.parties) } : {}),
    version: task.version,
    ...(sight === "party" ? { clocks: clocksOf(task).map(clockView) } : {}),
    ...(actor.kind === "service" && actor.id === task.requesterId ? { client_request_id: task.clientRequestId } : {}),
    ...(sight === "party" || sight === "reader"
      ? { brief: task.brief, ...(ownMessages === undefined ? { clarifications: task.clarifications ?? [] } : {}) }
      : {}),
    ...(sight === "party"
      ? {
          ...orderView(task),
          result: task.result,
          result_url: task.resultUrl,
          evidence_hash: task.evidenceHash,
          changes_reason: task.changesReason,
          ...criteriaView(task.criteriaResults),
          ...(task.expectedFiles ? { expected_files: task.expectedFiles } : {}),
          ...(task.resultFiles ? { result_files: task.resultFiles } : {}),
          ...(ownMessages === undefined
            ? {}
            : { last_message_at: ownMessages?.lastAt ?? null, unread_messages: ownMessages?.unread ?? 0 }),
          ...(actor.kind === "service" ? { awaited_action: awaitedOf(task, actor.id, now) ?? null } : {}),
          held: task.heldAt !== null,
          dispute_id: task.disputeId,
          settlement_id: task.settlementId,
          ...preparedView(task, actor),
        }
      : {}),
    available_actions: actor.kind === "service" ? availableActions(task, actor, now) : [],
  };
}

/** Terms from a quote say what its provider asks for, which no other provider may read. */
function preparedView({ prepared, requesterId }: TaskRow, actor: Actor) {
  const isRival =
    prepared?.for !== undefined && actor.kind === "service" && actor.id !== prepared.for && actor.id !== requesterId;
  return prepared && !isRival
    ? { prepared: { terms: prepared.terms, accept: prepared.accept, prepared_at: prepared.at } }
    : {};
}

const clockView = ({ clock, endsAt, end }: Clock) => ({
  clock,
  ends_at: iso(endsAt),
  // biome-ignore lint/suspicious/noThenProperty: the wire calls it so, and it is text
  then: end,
});

/** A rehearsal is ordered by the house. */
const byHouse = (parties: TaskSummaryWire["parties"]) => ({
  ...parties,
  requester: { ...parties.requester, house: true as const },
});

/** What an order shows beside its brief. */
function orderView({ offerId, offerRevision, brief }: TaskRow) {
  if (offerId === null || offerRevision === null) return {};
  const input = inputIn(brief);
  return { offer: { offer_id: offerId, revision: offerRevision }, ...(input === undefined ? {} : { input }) };
}

/** The marks of the latest submission, where the agreement has criteria that the service checks. */
export function criteriaView(results: CriterionResultWire[] | null) {
  return {
    criteria_results: results,
    criteria_passed: results?.every(({ passed }) => passed) ?? null,
  };
}

/** A dispute with its statements, oldest first. */
export type WholeDispute = Dispute & { statements: DisputeStatement[] };

export function disputeView(dispute: WholeDispute): DisputeWire {
  return {
    dispute_id: dispute.id,
    task_id: dispute.taskId,
    opened_by: dispute.openedBy,
    reason: dispute.reason,
    state: dispute.state,
    resolution: dispute.resolution,
    resolution_reason: dispute.resolutionReason,
    statements: dispute.statements.map(({ authorId, statement, createdAt }) => ({
      role: authorId === dispute.providerId ? ("provider" as const) : ("requester" as const),
      public_id: authorId,
      statement,
      created_at: iso(createdAt),
    })),
    created_at: iso(dispute.createdAt),
    resolved_at: iso(dispute.resolvedAt),
  };
}

import { statement } from "#lib/db/statement.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { TaskState } from "./machine.ts";

type Mode = "TEST" | "LIVE";
type DomainStatus = "unverified" | "verified" | "grace" | "lapsed";

/** A task with what every reader of it needs beside it: its parties' names, live agreement, settlement and open dispute. */
export type TaskRow = {
  id: string;
  seq: string | bigint;
  title: string;
  brief: string;
  summary: string;
  skill: string | null;
  budgetPence: number;
  visibility: "listed" | "unlisted";
  paymentMode: Mode;
  state: TaskState;
  clientRequestId: string;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
  heldAt: Date | null;
  result: string | null;
  resultUrl: string | null;
  evidenceHash: string | null;
  changesReason: string | null;
  requesterId: string;
  requesterName: string;
  requesterDomain: DomainStatus;
  providerId: string | null;
  providerName: string | null;
  providerDomain: DomainStatus | null;
  selectedProviderId: string | null;
  selectedProviderName: string | null;
  selectedProviderDomain: DomainStatus | null;
  contractId: string | null;
  contractState: "proposed" | "accepted" | null;
  termsHash: string | null;
  amountPence: number | null;
  requesterAcceptedAt: Date | null;
  providerAcceptedAt: Date | null;
  settlementId: string | null;
  funding: "not_required" | "required" | "pending" | "confirmed" | null;
  transfer: "none" | "queued" | "sent" | "failed" | "reversed" | "simulated" | null;
  /** Whether the money of an accepted LIVE agreement came, and was refunded or is disputed by the payer's bank. */
  moneyLost: boolean;
  disputeId: string | null;
};

/** What has not happened yet to a task that has just come into being. */
export const NOTHING_YET = {
  heldAt: null,
  result: null,
  resultUrl: null,
  evidenceHash: null,
  changesReason: null,
  providerId: null,
  providerName: null,
  providerDomain: null,
  contractId: null,
  contractState: null,
  termsHash: null,
  amountPence: null,
  requesterAcceptedAt: null,
  providerAcceptedAt: null,
  settlementId: null,
  funding: null,
  transfer: null,
  moneyLost: false,
  disputeId: null,
} as const satisfies Partial<TaskRow>;

/** What a summary is made of. */
export type TaskSummaryRow = Omit<
  TaskRow,
  | "brief"
  | "clientRequestId"
  | "heldAt"
  | "result"
  | "resultUrl"
  | "evidenceHash"
  | "changesReason"
  | "settlementId"
  | "funding"
  | "transfer"
  | "moneyLost"
  | "disputeId"
>;

const SUMMARY_COLUMNS = `
  t.id, t.seq, t.title, t.summary, t.skill, t.budget_pence AS "budgetPence", t.visibility, t.payment_mode AS "paymentMode",
  t.state, t.created_at AS "createdAt", t.updated_at AS "updatedAt", t.expires_at AS "expiresAt",
  t.requester_id AS "requesterId", r.name AS "requesterName", r.domain_status AS "requesterDomain",
  t.provider_id AS "providerId", p.name AS "providerName", p.domain_status AS "providerDomain",
  t.selected_provider_id AS "selectedProviderId", s.name AS "selectedProviderName", s.domain_status AS "selectedProviderDomain",
  c.id AS "contractId", c.state AS "contractState", c.terms_hash AS "termsHash", c.amount_pence AS "amountPence",
  c.requester_accepted_at AS "requesterAcceptedAt", c.provider_accepted_at AS "providerAcceptedAt"`;

const COLUMNS = `${SUMMARY_COLUMNS}, t.brief, t.client_request_id AS "clientRequestId", t.held_at AS "heldAt", t.result,
  t.result_url AS "resultUrl", t.evidence_hash AS "evidenceHash", t.changes_reason AS "changesReason",
  l.id AS "settlementId", l.funding, l.transfer, d.id AS "disputeId",
  t.payment_mode = 'LIVE' AND t.state = 'accepted' AND EXISTS (
    SELECT 1 FROM payments m WHERE m.contract_id = c.id AND m.status = 'succeeded' AND (m.refunded_pence > 0 OR m.disputed_pence > 0)
  ) AS "moneyLost"`;

const BESIDE = `
    JOIN identities r ON r.id = t.requester_id
    LEFT JOIN identities p ON p.id = t.provider_id
    LEFT JOIN identities s ON s.id = t.selected_provider_id
    LEFT JOIN contracts c ON c.task_id = t.id AND c.state <> 'declined'`;

/** Selects summaries from a relation named `t`. */
export function selectSummaries(from: string, tail = ""): string {
  return `SELECT ${SUMMARY_COLUMNS} FROM ${from} ${BESIDE} ${tail}`;
}

/** Selects whole task rows from a relation named `t`. */
export function selectTasks(from: string, tail = ""): string {
  return `SELECT ${COLUMNS} FROM ${from} ${BESIDE}
    LEFT JOIN settlements l ON l.contract_id = c.id
    LEFT JOIN disputes d ON d.task_id = t.id AND d.state = 'open' ${tail}`;
}

const BY_ID = selectTasks("tasks t", "WHERE t.id = $1");

const byId = statement<TaskRow>("task.by_id", BY_ID);

/** The task of this ID, as committed. */
export async function findTask(taskId: string): Promise<TaskRow | undefined> {
  return (await byId(taskId))[0];
}

/** The task as this transaction sees it. */
export async function loadTask(tx: Tx, taskId: string): Promise<TaskRow | undefined> {
  return (await tx.$queryRawUnsafe<TaskRow[]>(BY_ID, taskId))[0];
}

/**
 * Locks the task and then reads it with everything beside it: whoever changes a task, its agreement, its payments or its
 * disputes comes through here, one at a time. Two statements, because rows joined to a row that was waited for would be
 * read as they were before the wait.
 */
export async function lockTask(tx: Tx, taskId: string): Promise<TaskRow | undefined> {
  await tx.$executeRaw`SELECT 1 FROM tasks WHERE id = ${taskId} FOR NO KEY UPDATE`;
  return loadTask(tx, taskId);
}

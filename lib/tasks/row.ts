import { batched } from "#lib/db/batch.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";
import type { CriterionResultWire } from "#lib/kernel/criteria/schema.ts";
import type { OwnerApproval } from "#lib/owners/limits/gate.ts";
import { seenAt, type WorkTerms } from "./clocks.ts";
import type { ExpectedFileWire, NamedFileWire } from "./files/schema.ts";
import type { ClarificationWire } from "./messages/schema.ts";
import { COUNTED_QUOTES, QUOTES_PER_TASK } from "./quotes/state.ts";
import type { PreparedRow } from "./terms/schema.ts";

const stopsOf = (identity: string) =>
  `${identity}.held_at, ${identity}.host_held_at, ${identity}.leaked_at, ${identity}.suspended_at`;

/**
 * Since when something stops the clocks by which the service acts, or null: an open dispute, or a hold or suspension that an
 * administrator or a leaked token caused. An owner who freezes an agent does not stop them, because that would let it hold the other party.
 */
const stoppedSince = (disputedAt: string) => `least(t.held_at, ${stopsOf("r")}, ${stopsOf("p")}, ${disputedAt})`;

/**
 * When the claim of a task `t` lapses, or null while something stops its clock. What begins after the claim has ended comes too late,
 * because every reader has seen the task open again; unless it begins while something else still stops the clock. This is the whole rule:
 * whoever asks, in SQL or with a row, only compares it with the time.
 */
const LAPSES_AT = `CASE WHEN t.claim_ends_at IS NOT NULL AND (${stoppedSince("(SELECT x.created_at FROM disputes x WHERE x.task_id = t.id AND x.state = 'open')")}
    <= greatest(t.claim_ends_at, t.held_until, r.stopped_until, p.stopped_until, (SELECT max(x.resolved_at) FROM disputes x WHERE x.task_id = t.id))) IS NOT TRUE
    THEN t.claim_ends_at END`;

/** SQL: whether the claim of a task `t` has lapsed at this time, so that every reader sees the task open. An index serves the first conditions. */
export const hasLapsed = (now: string) =>
  `(t.claim_ends_at IS NOT NULL AND t.claim_ends_at <= ${now}
    AND EXISTS (SELECT FROM identities r, identities p WHERE r.id = t.requester_id AND p.id = t.provider_id AND ${LAPSES_AT} <= ${now}))`;

/** SQL: the state in which readers see a task `t` at this time. */
export const seenState = (now: string) =>
  `CASE WHEN t.state = 'open' OR ${hasLapsed(now)} THEN CASE WHEN t.expires_at <= ${now} THEN 'expired' ELSE 'open' END::task_state ELSE t.state END`;

/** SQL: whether a quote `q` for the task is live or passed over, unless it has expired. */
const NOT_CHOSEN = `q.state <= 'chosen' AND (q.state = 'live' OR q.provider_id IS DISTINCT FROM t.selected_provider_id)
      AND q.provider_id <> ALL (t.dismissed_ids)`;

/**
 * What the summary of a task is made of: the task (`t`), its parties' identities (`r` requester, `p` provider, `s` selected
 * provider) and its live agreement (`c`).
 */
export const SUMMARY = {
  id: db.text.from("t.id"),
  seq: db.bigint.from("t.seq"),
  title: db.text.from("t.title"),
  summary: db.text.from("t.summary"),
  skill: db.nullable(db.text).from("t.skill"),
  budgetPence: db.integer.from("t.budget_pence"),
  visibility: db.visibility.from("t.visibility"),
  paymentMode: db.paymentMode.from("t.payment_mode"),
  state: db.taskState.from("t.state"),
  openTo: db.openTo.from("t.open_to"),
  /** When the quotes expire that the requester could choose: of `COUNTED_QUOTES`, those that live longest. */
  quoteEnds: db.nullable(db.arrayOf(db.timestamp)).from(`CASE WHEN t.open_to = 'quotes' THEN ARRAY(
    SELECT q.expires_at FROM quotes q WHERE q.task_id = t.id AND ${NOT_CHOSEN}
    ORDER BY q.expires_at DESC LIMIT ${COUNTED_QUOTES}) END`),
  createdAt: db.timestamp.from("t.created_at"),
  updatedAt: db.timestamp.from("t.updated_at"),
  expiresAt: db.timestamp.from("t.expires_at"),
  reviewEndsAt: db.nullable(db.timestamp).from("t.review_ends_at"),
  claimEndsAt: db.nullable(db.timestamp).from("t.claim_ends_at"),
  silenceDays: db.integer.from("t.silence_days"),
  lapsesAt: db.nullable(db.timestamp).from(LAPSES_AT),
  requesterId: db.text.from("t.requester_id"),
  requesterName: db.text.from("r.name"),
  requesterDomain: db.domainStatus.from("r.domain_status"),
  providerId: db.nullable(db.text).from("t.provider_id"),
  providerName: db.nullable(db.text).from("p.name"),
  providerDomain: db.nullable(db.domainStatus).from("p.domain_status"),
  selectedProviderId: db.nullable(db.text).from("t.selected_provider_id"),
  selectedProviderName: db.nullable(db.text).from("s.name"),
  selectedProviderDomain: db.nullable(db.domainStatus).from("s.domain_status"),
  contractId: db.nullable(db.text).from("c.id"),
  contractState: db.nullable(db.only(db.contractState, "proposed", "accepted")).from("c.state"),
  termsHash: db.nullable(db.text).from("c.terms_hash"),
  amountPence: db.nullable(db.integer).from("c.amount_pence"),
  requesterAcceptedAt: db.nullable(db.timestamp).from("c.requester_accepted_at"),
  providerAcceptedAt: db.nullable(db.timestamp).from("c.provider_accepted_at"),
  isDisputed: db.boolean.from("EXISTS (SELECT FROM disputes d WHERE d.task_id = t.id AND d.state = 'open')"),
};
export type TaskSummaryRow = db.RowOf<typeof SUMMARY>;

/** What every reader of a whole task needs: also its settlement (`l`) and its open dispute (`d`). */
export const TASK = {
  ...SUMMARY,
  brief: db.text.from("t.brief"),
  version: db.integer.from("t.version"),
  clientRequestId: db.text.from("t.client_request_id"),
  rehearsal: db.boolean.from("t.rehearsal"),
  offerId: db.nullable(db.text).from("t.offer_id"),
  offerRevision: db.nullable(db.integer).from("t.offer_revision"),
  heldAt: db.nullable(db.timestamp).from("t.held_at"),
  isStopped: db.boolean.from(`${stoppedSince("d.created_at")} IS NOT NULL`),
  isDisputed: db.boolean.from("d.id IS NOT NULL"),
  /** What the agreement says of the time for the work, while that runs or can run again. */
  workTerms: db.nullable(db.jsonb<WorkTerms>()).from(`CASE WHEN t.state IN ('accepted', 'in_progress', 'submitted') THEN
    jsonb_build_object('dueAt', c.terms -> 'due_at', 'graceHours', c.terms -> 'grace_hours') END`),
  claimHours: db.nullable(db.integer).from("t.claim_hours"),
  dismissedIds: db.arrayOf(db.text).from("t.dismissed_ids"),
  result: db.nullable(db.text).from("t.result"),
  resultUrl: db.nullable(db.text).from("t.result_url"),
  evidenceHash: db.nullable(db.text).from("t.evidence_hash"),
  changesReason: db.nullable(db.text).from("t.changes_reason"),
  clarifications: db.nullable(db.jsonb<ClarificationWire[]>()).from("t.clarifications"),
  clarificationCount: db.integer.from("coalesce(jsonb_array_length(t.clarifications), 0)"),
  conversationCount: db.integer.from("t.conversation_count"),
  criteriaResults: db.nullable(db.jsonb<CriterionResultWire[]>()).from("t.criteria_results"),
  prepared: db.nullable(db.jsonb<PreparedRow>()).from("t.prepared"),
  /** Terms from a quote are proposed to its provider alone, so they are never too late for another one. */
  preparedDueAt: db
    .nullable(db.text)
    .from(
      "CASE WHEN coalesce(t.prepared ->> 'for', t.selected_provider_id) IS NOT DISTINCT FROM t.selected_provider_id THEN t.prepared #>> '{terms,due_at}' END",
    ),
  /** The quotes that the requester of an open task could choose, each until its time. */
  choice: db.nullable(db.jsonb<Choice>()).from(`CASE WHEN t.open_to = 'quotes' THEN jsonb_build_object(
    'needsTerms', t.prepared IS NULL,
    'quotes', ARRAY(
      SELECT jsonb_build_object('id', q.id, 'amountPence', q.amount_pence, 'until', least(q.expires_at, q.due_at::timestamptz))
      FROM quotes q JOIN identities i ON i.id = q.provider_id
      WHERE q.task_id = t.id AND ${NOT_CHOSEN} AND i.state = 'active' ORDER BY q.expires_at DESC LIMIT ${QUOTES_PER_TASK}
    )) END`),
  expectedFiles: db.nullable(db.jsonb<ExpectedFileWire[]>()).from("t.expected_files"),
  /** The names of those that have not arrived; null if none are expected. */
  missingFiles: db.nullable(db.jsonb<string[]>()).from(`CASE WHEN t.expected_files IS NOT NULL THEN (
    SELECT coalesce(jsonb_agg(e.name), '[]') FROM jsonb_to_recordset(t.expected_files) AS e (name text, sha256 text)
    WHERE NOT EXISTS (
      SELECT FROM files f WHERE f.task_id = t.id AND f.purpose = 'brief' AND f.state = 'kept' AND f.name = e.name AND f.sha256 = e.sha256
    )
  ) END`),
  resultFiles: db.nullable(db.jsonb<NamedFileWire[]>()).from("t.result_files"),
  settlementId: db.nullable(db.text).from("l.id"),
  funding: db.nullable(db.funding).from("l.funding"),
  transfer: db.nullable(db.transferState).from("l.transfer"),
  disputeId: db.nullable(db.text).from("d.id"),
  disputeOpenedBy: db.nullable(db.text).from("d.opened_by"),
  disputedProviderId: db.nullable(db.text).from("d.provider_id"),
  requesterStatements: db.nullable(db.integer).from("d.requester_statements"),
  providerStatements: db.nullable(db.integer).from("d.provider_statements"),
  requesterHost: db.nullable(db.text).from("r.host"),
  providerHost: db.nullable(db.text).from("p.host"),
  selectedProviderHost: db.nullable(db.text).from("s.host"),
  /** What the requester's owner was asked, if anything. */
  ownerApproval: db.nullable(db.jsonb<OwnerApproval>()).from(`(SELECT jsonb_build_object('amountPence', a.amount_pence,
    'approved', a.approved, 'providerId', a.provider_id, 'termsHash', a.terms_hash) FROM owner_approvals a WHERE a.identity_id = t.requester_id AND a.task_id = t.id)`),
  /** The newest payment that is neither paid nor given up, with its checkout in LIVE. */
  pendingPayment: db.nullable(db.jsonb<PendingPayment>()).from(`CASE WHEN l.funding = 'pending' THEN (
    SELECT jsonb_build_object('id', m.id, 'checkoutUrl', m.checkout_url) FROM payments m
    WHERE m.contract_id = c.id AND m.status = 'pending' ORDER BY m.created_at DESC, m.id DESC LIMIT 1
  ) END`),
  /** Whether the payment of an accepted LIVE agreement was refunded, or is disputed by the payer's bank. */
  moneyLost: db.boolean.from(`t.payment_mode = 'LIVE' AND t.state = 'accepted' AND EXISTS (
    SELECT 1 FROM payments m WHERE m.contract_id = c.id AND m.status = 'succeeded' AND (m.refunded_pence > 0 OR m.disputed_pence > 0)
  )`),
  /** Whether the payer's bank disputes the payment of unfinished work. */
  moneyDisputed: db.boolean.from(`t.payment_mode = 'LIVE' AND t.state IN ('accepted', 'in_progress') AND EXISTS (
    SELECT 1 FROM payments m WHERE m.contract_id = c.id AND m.status = 'succeeded' AND m.disputed_pence > 0
  )`),
};
/** What the column of `tasks` is called in SQL. */
export const columnName = (column: keyof typeof TASK): string => TASK[column].sql?.replace("t.", "") ?? "";

/** A value of the column as a parameter. The driver would take a list for a PostgreSQL array. */
export const sentAs = (column: keyof typeof TASK, value: unknown): unknown =>
  TASK[column].type === "jsonb" && value !== null ? JSON.stringify(value) : value;

type Choice = { needsTerms: boolean; quotes: { id: string; amountPence: number; until: string }[] };
type PendingPayment = { id: string; checkoutUrl: string | null };
/**
 * `rowVersion` names the transaction that last changed the task's own row. It is known only to steps that take no lock (`stepUnlocked`).
 * The caller's messages are known only in lists of its tasks.
 */
export type TaskRow = db.RowOf<typeof TASK> & { rowVersion?: string } & Partial<db.RowOf<typeof OWN_MESSAGES>>;

/** What a list of a party's tasks says of its messages about each, null where it has none. The party is the statement's `$1`. */
export const OWN_MESSAGES = {
  ownMessages: db
    .nullable(db.jsonb<{ lastAt: string; unread: number }>())
    .from(`CASE WHEN t.conversation_count > 0 THEN (
    SELECT jsonb_build_object('lastAt', to_char(max(c.last_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'unread', sum(c.length - CASE WHEN t.requester_id = $1 THEN c.read_by_requester ELSE c.read_by_other END))
    FROM conversations c WHERE c.task_id = t.id AND (t.requester_id = $1 OR c.other_id = $1) HAVING count(*) > 0
  ) END`),
};

/** Lists leave out what may be long: prepared terms, of which only `preparedDueAt` decides about a claim, and clarifications. */
export const LISTED_TASK = { ...TASK, ...db.always(TASK, null, ["prepared", "clarifications"]) };

type Nullable<Row> = { [Name in keyof Row as null extends Row[Name] ? Name : never]: null };

/** A task at its creation, in all that can be null: nothing has happened to it yet. */
export const NOTHING_YET = {
  ...(Object.fromEntries(
    Object.entries(TASK).flatMap(([name, { nullable }]) => (nullable ? [[name, null]] : [])),
  ) as Nullable<TaskRow>),
  clarificationCount: 0,
  conversationCount: 0,
  moneyLost: false,
  moneyDisputed: false,
  isStopped: false,
  isDisputed: false,
  dismissedIds: [],
  silenceDays: 30,
};

// A task without a provider has no live agreement (see machine.ts), and a null is not looked up.
const JOINS = `
    JOIN identities r ON r.id = t.requester_id
    LEFT JOIN identities p ON p.id = t.provider_id
    LEFT JOIN identities s ON s.id = t.selected_provider_id
    LEFT JOIN contracts c ON c.task_id = CASE WHEN t.provider_id IS NOT NULL THEN t.id END AND c.state < 'declined'`;

/** Selects summaries, or other columns of the same joins, from a relation named `t`. */
export function selectSummaries(from: string, tail = "", columns: db.Columns = SUMMARY): string {
  return `SELECT ${db.select(columns)} FROM ${from} ${JOINS} ${tail}`;
}

const DISPUTE = "LEFT JOIN disputes d ON d.task_id = t.id AND d.state = 'open'";

/** Selects whole task rows, or other columns of the same joins, from a relation named `t`. */
export function selectTasks(from: string, tail = "", columns: db.Columns = TASK): string {
  return `SELECT ${db.select(columns)} FROM ${from} ${JOINS}
    LEFT JOIN settlements l ON l.contract_id = c.id
    ${DISPUTE} ${tail}`;
}

/**
 * An open task as the selected provider reads it. It has no provider, no live agreement and no work (see machine.ts), so nothing of these
 * is read. The selected provider is the caller, whom we know. What the requester's owner was asked concerns the requester's steps, and
 * nobody is the selected provider of a task of its own.
 */
export const OFFERED_TASK = {
  ...LISTED_TASK,
  ...db.always(TASK, null, [
    "selectedProviderId",
    "selectedProviderName",
    "selectedProviderDomain",
    "selectedProviderHost",
    "providerId",
    "providerName",
    "providerDomain",
    "providerHost",
    "contractId",
    "contractState",
    "termsHash",
    "amountPence",
    "requesterAcceptedAt",
    "providerAcceptedAt",
    "claimEndsAt",
    "claimHours",
    "lapsesAt",
    "reviewEndsAt",
    "result",
    "resultUrl",
    "evidenceHash",
    "changesReason",
    "criteriaResults",
    "resultFiles",
    "settlementId",
    "funding",
    "transfer",
    "choice",
    "ownerApproval",
    "pendingPayment",
    "workTerms",
  ]),
  ...db.always(TASK, false, ["moneyLost", "moneyDisputed", "isStopped"]),
  // One whose claim has lapsed may be recorded as claimed still.
  state: TASK.state.always("open"),
  ...OWN_MESSAGES,
};

/** Selects such rows from a relation named `t`. */
export function selectOffered(from: string, tail: string): string {
  return `SELECT ${db.select(OFFERED_TASK)} FROM ${from} JOIN identities r ON r.id = t.requester_id ${DISPUTE} ${tail}`;
}

const BY_ID = selectTasks("tasks t", "WHERE t.id = $1");

const byId = batched("task.by_id", TASK, ["text"], BY_ID);

/** The task of this ID, as committed, and as readers see it at this time. */
export async function findTask(taskId: string, now: Date): Promise<TaskRow | undefined> {
  const [task] = await byId(taskId);
  return task && seenAt(task, now);
}

const SEEN = { ...TASK, rowVersion: db.text.from("t.xmin::text") };

const seen = batched("task.seen", SEEN, ["text"], selectTasks("tasks t", "WHERE t.id = $1", SEEN));

/** The task of this ID as committed, and the version of its own row: a write can have it as its condition. */
export async function seeTask(taskId: string): Promise<TaskRow | undefined> {
  return (await seen(taskId))[0];
}

const inTransaction = statement("task.in_transaction", TASK, BY_ID);

/** The task as this transaction sees it. */
export async function loadTask(tx: AnyTx, taskId: string): Promise<TaskRow | undefined> {
  return (await inTransaction.on(connectionOf(tx), taskId))[0];
}

const lock = statement("task.lock", { id: db.text }, "SELECT id FROM tasks WHERE id = $1 FOR NO KEY UPDATE");

/**
 * Locks the task, then reads it with everything beside it. Every change of a task, its agreement, its payments or its disputes
 * starts here, so they happen one at a time. These are two statements, because one statement would read the joined rows as they
 * were before it waited for the lock.
 */
export async function lockTask(tx: AnyTx, taskId: string): Promise<TaskRow | undefined> {
  // The second is sent before the first is answered, but done after it.
  const [, task] = await Promise.all([lock.on(connectionOf(tx), taskId), loadTask(tx, taskId)]);
  return task;
}

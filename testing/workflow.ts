import assert from "node:assert/strict";
import type { ContractWire } from "#lib/contracts/schema.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { PaymentWire } from "#lib/payments/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { DisputeWire } from "#lib/tasks/disputes/schema.ts";
import type { TaskState } from "#lib/tasks/machine.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { type Answer, call } from "./client.ts";
import { callAs, succeeded, type TestAgent } from "./factories.ts";
import { type StepSubject, step, task, type Verb } from "./requests.ts";

/** A task with everything that belongs to it. IDs of things that do not exist yet are well-formed and unknown. */
export type Work = StepSubject & { requester: TestAgent; provider: TestAgent };

type Body = {
  task?: TaskWire;
  contract?: ContractWire;
  payment?: PaymentWire;
  settlement?: SettlementWire;
  dispute?: DisputeWire;
};

/** Tries a step as this identity, or without a credential. IDs of what it creates are stored in `work`. */
export async function perform(
  agent: TestAgent | undefined,
  verb: Verb,
  work: Work,
  overrides: object = {},
): Promise<Answer<Body>> {
  const { path, fields, headers } = step(verb, work, overrides);
  const answer = await call<Body>("POST", `/api/v1/${path}`, {
    ...(agent ? { token: agent.token } : {}),
    body: { public_id: (agent ?? work.requester).publicId, ...fields },
    headers,
  });
  if (answer.error) return answer;
  const { contract, payment } = answer.body;
  if (contract) Object.assign(work, { contractId: contract.contract_id, termsHash: contract.terms_hash });
  if (payment) work.paymentId = payment.payment_id;
  return answer;
}

/** A step that has to succeed. */
export async function did(agent: TestAgent, verb: Verb, work: Work, overrides: object = {}): Promise<Body> {
  const answer = await perform(agent, verb, work, overrides);
  assert.ok(!answer.error, `${verb}: ${answer.error?.code}: ${answer.error?.message}`);
  return answer.body;
}

type Options = {
  /** The agreed amount in pence; 0 is free. */
  amountPence?: number;
  /** Fields of jobs/create.php. */
  task?: object;
  /** Fields of contracts/create.php. */
  terms?: object;
};

export async function postTask(requester: TestAgent, fields: object = {}): Promise<TaskWire> {
  const body = { public_id: requester.publicId, ...task(fields) };
  const answer = await call<{ task: TaskWire }>("POST", "/api/v1/jobs/create.php", { token: requester.token, body });
  succeeded(answer, 201);
  return answer.body.task;
}

/** The task as this identity reads it, or as a visitor does. */
export async function readTask(taskId: string, reader?: TestAgent): Promise<TaskWire> {
  const path = "/api/v1/jobs/show.php";
  const query = { task_id: taskId };
  const answer = await (reader
    ? callAs<{ task: TaskWire }>(reader, "GET", path, query)
    : call<{ task: TaskWire }>("GET", path, { query }));
  succeeded(answer);
  return answer.body.task;
}

type Parties = Pick<Work, "requester" | "provider">;
type Party = keyof Parties;

const COURSE: [state: TaskState, steps: [Party, Verb][]][] = [
  ["claimed", [["provider", "claim"]]],
  ["proposed", [["requester", "propose"]]],
  [
    "accepted",
    [
      ["requester", "accept"],
      ["provider", "accept"],
    ],
  ],
  ["in_progress", [["provider", "start"]]],
  ["submitted", [["provider", "submit"]]],
  ["completed", [["requester", "complete"]]],
];

/**
 * A task in the given state, brought there through the API. Paid agreements are funded on the way to `in_progress`; `cancelled`
 * is cancelled after acceptance, and `expired` is open past its time.
 */
export async function taskAt(
  state: TaskState,
  { requester, provider }: Parties,
  { amountPence = 500, task: fields = {}, terms = {} }: Options = {},
): Promise<Work> {
  const { task_id: taskId } = await postTask(requester, fields);
  const nothing = { contractId: newId("con"), termsHash: `sha256:${"0".repeat(64)}`, paymentId: newId("pay") };
  const work: Work = { requester, provider, taskId, amountPence, ...nothing };
  if (state === "expired") await expire(taskId);
  if (state === "open" || state === "expired") return work;
  for (const [reached, steps] of COURSE) {
    if (reached === "in_progress" && amountPence > 0) {
      await did(requester, "fund", work);
      if (state !== "cancelled") await did(requester, "confirm", work);
    }
    if (reached === "in_progress" && state === "cancelled") break;
    for (const [party, verb] of steps) await did(work[party], verb, work, verb === "propose" ? terms : {});
    if (reached === state) return work;
  }
  await did(requester, "cancel", work);
  return work;
}

/** Moves a task's expiry into the past. */
export async function expire(taskId: string): Promise<void> {
  await pool().query("UPDATE tasks SET expires_at = created_at WHERE id = $1", [taskId]);
}

/** Columns, each so many days ($2) earlier. */
const earlier = (...columns: string[]) =>
  columns.map((column) => `${column} = ${column} - $2::float8 * interval '1 day'`).join(", ");

/**
 * Lets so much time pass since the last steps of a task and its agreement, for the end of its claim, and since something stopped it, as if
 * nobody had acted.
 */
export async function passTime(taskId: string, days: number): Promise<void> {
  await pool().query(
    `WITH task AS (
       UPDATE tasks SET ${earlier("updated_at", "claim_ends_at", "review_ends_at", "held_at")} WHERE id = $1
       RETURNING requester_id, provider_id
     ), dispute AS (
       UPDATE disputes SET ${earlier("created_at")} WHERE task_id = $1 AND state = 'open'
     ), stopped AS (
       UPDATE identities SET ${earlier("held_at", "host_held_at", "leaked_at", "suspended_at")}
       FROM task WHERE id IN (requester_id, provider_id) AND least(held_at, host_held_at, leaked_at, suspended_at) IS NOT NULL
     )
     UPDATE contracts SET ${earlier("requester_accepted_at", "provider_accepted_at")} WHERE task_id = $1`,
    [taskId, days],
  );
}

/** The state in the database row, which may differ from the one that readers see. */
export async function storedState(taskId: string): Promise<TaskState> {
  const { rows } = await pool().query<{ state: TaskState }>("SELECT state FROM tasks WHERE id = $1", [taskId]);
  assert.ok(rows[0]);
  return rows[0].state;
}

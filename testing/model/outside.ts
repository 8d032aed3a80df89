import assert from "node:assert/strict";
import { completeFor } from "#lib/admin/complete.ts";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { cancelTransfer } from "#lib/admin/money/cancel-transfer.ts";
import { refund, reverseTransfer, sendTransfer } from "#lib/admin/money/move.ts";
import { allowAction, denyAction, setRisk } from "#lib/admin/restrictions.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { recheckDomain } from "#lib/identity/domain/verify-domain.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { refreshAccount } from "#lib/payments/accounts/account.ts";
import { expireDueTasks } from "#lib/tasks/advance.ts";
import { Refusal } from "#stripe-stand-in/refusal.ts";
import { provingProber } from "#testing/client.ts";
import { deliver, sessionOf, work, workerContext } from "#testing/live.ts";
import { expire } from "#testing/workflow.ts";
import {
  type Act,
  actionOf,
  awardOf,
  endOf,
  isDisorderly,
  outcomeOf,
  paymentOf,
  resolutionOf,
  riskOf,
  shareOf,
  type Verb,
} from "./act.ts";
import { refundable, sendable, transferred } from "./books.ts";
import { leftOf } from "./predict-outside.ts";
import { NOTHING, type Outcome, type Stage } from "./stage.ts";
import { AGENTS, type ModelTask, newWorld, type World } from "./world.ts";

// What does not happen over HTTP: the administrator's decisions, events at Stripe, background work, and time.

const admin = commandLineContext("model");
const reason = "The model says so.";

/** Carries out a command of this kind; undefined for one that a service identity sends. */
export function outside(stage: Stage, world: World, act: Act, task: ModelTask): Promise<Outcome> | undefined {
  const doing = OUTSIDE[act.verb];
  return doing && attempt(() => doing(stage, act, task, world));
}

type Doing = (stage: Stage, act: Act, task: ModelTask, world: World) => unknown;

const onTask =
  (change: typeof hold): Doing =>
  (_stage, _act, { id: subjectId }) =>
    change(admin, { subjectId, reason });
const onAgent =
  (change: typeof hold): Doing =>
  ({ agents }, { who }) =>
    change(admin, { subjectId: agents[who].publicId, reason });
const onStanding =
  (change: typeof suspendIdentity): Doing =>
  ({ agents }, { who }) =>
    change(admin, { publicId: agents[who].publicId, reason });
const onPermission =
  (change: typeof denyAction): Doing =>
  ({ agents }, act, _task, world) =>
    change(admin, { publicId: agents[act.who].publicId, action: actionOf(world, act), reason });

const OUTSIDE: Partial<Record<Verb, Doing>> = {
  hold_task: onTask(hold),
  unhold_task: onTask(unhold),
  hold: onAgent(hold),
  unhold: onAgent(unhold),
  suspend: onStanding(suspendIdentity),
  restore: onStanding(restoreIdentity),
  deny: onPermission(denyAction),
  allow: onPermission(allowAction),
  rate: ({ agents }, act) => setRisk(admin, { publicId: agents[act.who].publicId, risk: riskOf(act), reason }),
  resolve: (_stage, act, task) =>
    resolveDispute(admin, {
      disputeId: task.disputes.at(-1)?.id ?? newId("dsp"),
      resolution: resolutionOf(act),
      reason,
    }),
  pay: async ({ live }, act, task) => live.stripe.pay(await checkoutOf(act, task), outcomeOf(act)),
  expire_checkout: async ({ live }, act, task) => live.stripe.expire(await checkoutOf(act, task)),
  refund: async (stage, act, task) => {
    const payment = paymentOf(task, act);
    stage.live.stripe.refund(await intentOf(stage, act, task), shareOf(payment ? leftOf(payment) : 0, act));
  },
  charge_back: async (stage, act, task) => stage.live.stripe.openDispute(await intentOf(stage, act, task)),
  end_chargeback: async (stage, act, task) => {
    const intent = await intentOf(stage, act, task);
    const known = [...stage.live.stripe.world.disputes.values()].find((each) => each.payment_intent === intent);
    stage.live.stripe.closeDispute(known?.id ?? "none", endOf(act));
  },
  resolve_refund: (_stage, _act, task) =>
    resolveDispute(admin, { disputeId: disputeOf(task), resolution: "requester", refund: true, reason }),
  split: (_stage, act, task) =>
    resolveDispute(admin, {
      ...{ disputeId: disputeOf(task), resolution: "split", reason },
      providerPence: awardOf(refundable(task), act),
    }),
  complete_for: (_stage, _act, { id: taskId }) => completeFor(admin, { taskId, reason }),
  order_refund: async (_stage, act, task) =>
    refund(admin, { settlementId: await settlementOf(task), pence: part(refundable(task), act), reason }),
  order_reversal: async (_stage, act, task) =>
    reverseTransfer(admin, {
      ...{ settlementId: await settlementOf(task), reason },
      pence: part(task.settlement ? transferred(task.settlement) : 0, act),
    }),
  order_transfer: async (_stage, act, task) =>
    sendTransfer(admin, { settlementId: await settlementOf(task), pence: part(sendable(task), act), reason }),
  cancel_transfer: async (_stage, _act, task) =>
    cancelTransfer(admin, { settlementId: await settlementOf(task), reason }),
  restrict: ({ live, agents }, { who }) => live.stripe.restrict(agents[who].account ?? "none"),
  activate: ({ live, agents }, { who }) => live.stripe.activate(agents[who].account ?? "none"),
  deliver: deliverAll,
  work: () => work(),
  pass_time: (_stage, _act, { id }) => expire(id),
  sweep: () => expireDueTasks(workerContext()),
  fail_check: async ({ agents }, { who }) => {
    replaceProber({ probe: async () => ({ ok: false, reason: "timeout", detail: "It took too long." }) });
    await recheckDomain(workerContext(), agents[who].publicId).finally(() => replaceProber(provingProber));
  },
};

const disputeOf = ({ disputes }: ModelTask) => disputes.at(-1)?.id ?? newId("dsp");

/** The amount to ask for; undefined where nothing is left, which is then refused. */
const part = (leftPence: number, act: Act) => (leftPence === 0 ? undefined : shareOf(leftPence, act));

async function settlementOf({ id }: ModelTask): Promise<string> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM settlements WHERE task_id = $1", [id]);
  return rows[0]?.id ?? newId("stl");
}

/** Only LIVE payments have a checkout at Stripe. */
async function checkoutOf(act: Act, task: ModelTask): Promise<string> {
  const payment = paymentOf(task, act);
  return payment && task.mode === "LIVE" ? await sessionOf(payment.id) : "none";
}

async function intentOf({ live }: Stage, act: Act, task: ModelTask): Promise<string> {
  return String(live.stripe.world.sessions.get(await checkoutOf(act, task))?.payment_intent);
}

async function deliverAll(stage: Stage, act: Act): Promise<void> {
  const { events } = stage.live.stripe;
  const fresh = events.slice(stage.delivered);
  stage.delivered = events.length;
  for (const event of isDisorderly(act) ? [...fresh, ...fresh].reverse() : fresh)
    assert.equal(await deliver(stage.live, event), 200, event.type);
}

/** The outcome of such a command, in the form of an HTTP answer. */
async function attempt(work: () => unknown): Promise<Outcome> {
  const outcome = { gates: [], made: NOTHING, read: {} };
  try {
    await work();
    return { ...outcome, status: 200, code: undefined };
  } catch (error) {
    if (error instanceof ApiError) return { ...outcome, status: error.status, code: error.code };
    if (error instanceof Refusal) return { ...outcome, status: 400, code: "stripe_refused" };
    throw error;
  }
}

/** Resets all agents to the state of a new world. Earlier events of Stripe are skipped. */
export async function reset(stage: Stage): Promise<void> {
  const fresh = newWorld().agents;
  for (const who of AGENTS) {
    const { publicId, account } = stage.agents[who];
    await unhold(admin, { subjectId: publicId, reason });
    await restoreIdentity(admin, { publicId, reason });
    const { risk, denied, proved } = fresh[who];
    await pool().query(
      "UPDATE identities SET risk = $2, denied_actions = $3, domain_status = $4, domain_failures = 0 WHERE id = $1",
      [publicId, risk, denied, proved ? "verified" : "unverified"],
    );
    if (account) stage.live.stripe.activate(account);
    await refreshAccount(workerContext(), publicId);
  }
  const { rows } = await pool().query<{ count: number }>("SELECT count(*)::int AS count FROM tasks");
  stage.earlierTasks = rows[0]?.count ?? 0;
  stage.delivered = stage.live.stripe.events.length;
}

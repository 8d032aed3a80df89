import assert from "node:assert/strict";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call } from "#lib/testing/client.ts";
import { callAs, type TestAgent } from "#lib/testing/factories.ts";
import { deliver, type Live, sessionOf, work } from "#lib/testing/live.ts";
import { Refusal } from "#lib/testing/stripe/refusal.ts";
import { expire, perform, type Verb as ServiceVerb, type Work } from "#lib/testing/workflow.ts";
import {
  type Act,
  amountOf,
  contractOf,
  hasRightHash,
  isDisorderly,
  outcomeOf,
  paymentOf,
  resolutionOf,
  type Verb,
  wishOf,
} from "./act.ts";
import type { Made } from "./predict.ts";
import type { AgentName, ModelTask } from "./world.ts";

/** The service under test with the people who use it. */
export type Stage = {
  live: Live;
  agents: Record<AgentName, TestAgent>;
  /** How many of Stripe's events have been delivered, or left behind with an earlier run. */
  delivered: number;
};

/** What an answer tells. */
export type Read = Partial<{
  task: { task_id: string; state: string };
  contract: { contract_id: string; terms_hash: string };
  payment: { payment_id: string; status: string };
  dispute: { dispute_id: string };
  settlement: { state: string; funding: string; transfer: string; gross_pence: number };
}>;

export type Outcome = { status: number; code: string | undefined; made: Made; read: Read };

const NOTHING: Made = { id: "", hash: "" };
const WRONG_HASH = `sha256:${"0".repeat(64)}`;
const admin = commandLineContext("model");
const reason = "The model says so.";

/** Does one command to the service. @param task what it is about, if about any */
export async function drive(stage: Stage, act: Act, task: ModelTask | undefined): Promise<Outcome> {
  const outside = OUTSIDE[act.verb];
  if (outside) return attempt(() => outside(stage, act, task as ModelTask));
  const { status, error, body } = await asService(stage, act, task);
  return { status, code: error?.code, made: error ? NOTHING : made(body), read: error ? {} : body };
}

function made({ contract, payment, dispute, task }: Read): Made {
  const id = contract?.contract_id ?? payment?.payment_id ?? dispute?.dispute_id ?? task?.task_id ?? "";
  return { id, hash: contract?.terms_hash ?? "" };
}

function asService({ agents }: Stage, act: Act, task: ModelTask | undefined) {
  const agent = agents[act.who];
  if (act.verb === "create") {
    const { mode, listed, selected, budgetPence } = wishOf(act);
    return call<Read>("POST", "/api/v1/jobs/create.php", {
      token: agent.token,
      body: {
        public_id: agent.publicId,
        brief: "Count the words of a text.",
        budget_pence: budgetPence,
        client_request_id: newId("req"),
        payment_mode: mode,
        visibility: listed ? "listed" : "unlisted",
        ...(selected ? { provider_public_id: agents[selected].publicId } : {}),
      },
    });
  }
  assert.ok(task);
  if (act.verb === "show") return callAs<Read>(agent, "GET", "/api/v1/jobs/show.php", { task_id: task.id });
  const contract = contractOf(task, act);
  const work: Work = {
    requester: agents[task.requester],
    provider: agents[task.provider ?? "stranger"],
    taskId: task.id,
    amountPence: amountOf(task, act),
    contractId: contract?.id ?? newId("con"),
    termsHash: contract && hasRightHash(act) ? contract.hash : WRONG_HASH,
    paymentId: paymentOf(task, act)?.id ?? newId("pay"),
  };
  const overrides = act.verb === "confirm" ? { outcome: outcomeOf(act) } : {};
  return perform(agent, act.verb as ServiceVerb, work, overrides);
}

type Doing = (stage: Stage, act: Act, task: ModelTask) => unknown;

const onTask =
  (change: typeof hold): Doing =>
  (_stage, _act, { id: subjectId }) =>
    change(admin, { subjectId, reason });
const onAgent =
  (change: typeof hold): Doing =>
  ({ agents }, { who }) =>
    change(admin, { subjectId: agents[who].publicId, reason });

const OUTSIDE: Partial<Record<Verb, Doing>> = {
  hold_task: onTask(hold),
  unhold_task: onTask(unhold),
  hold: onAgent(hold),
  unhold: onAgent(unhold),
  suspend: ({ agents }, { who }) => suspendIdentity(admin, { publicId: agents[who].publicId, reason }),
  restore: ({ agents }, { who }) => restoreIdentity(admin, { publicId: agents[who].publicId, reason }),
  resolve: (_stage, act, task) =>
    resolveDispute(admin, {
      disputeId: task.disputes.at(-1)?.id ?? newId("dsp"),
      resolution: resolutionOf(act),
      reason,
    }),
  pay: async ({ live }, act, task) => live.stripe.pay(await checkoutOf(act, task), outcomeOf(act)),
  expire_checkout: async ({ live }, act, task) => live.stripe.expire(await checkoutOf(act, task)),
  deliver: deliverAll,
  work: () => work(),
  pass_time: (_stage, _act, { id }) => expire(id),
};

/** At Stripe, there is no such thing as the checkout of what is not a LIVE payment. */
async function checkoutOf(act: Act, task: ModelTask): Promise<string> {
  const payment = paymentOf(task, act);
  return payment && task.mode === "LIVE" ? await sessionOf(payment.id) : "none";
}

async function deliverAll(stage: Stage, act: Act): Promise<void> {
  const { events } = stage.live.stripe;
  const fresh = events.slice(stage.delivered);
  stage.delivered = events.length;
  for (const event of isDisorderly(act) ? [...fresh, ...fresh].reverse() : fresh)
    assert.equal(await deliver(stage.live, event), 200, event.type);
}

/** What is not asked over HTTP, told as if it had been. */
async function attempt(work: () => unknown): Promise<Outcome> {
  try {
    await work();
    return { status: 200, code: undefined, made: NOTHING, read: {} };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, code: error.code, made: NOTHING, read: {} };
    if (error instanceof Refusal) return { status: 400, code: "checkout_closed", made: NOTHING, read: {} };
    throw error;
  }
}

/** Everybody in good standing again; what Stripe has said before is left behind. */
export async function reset(stage: Stage): Promise<void> {
  for (const { publicId } of Object.values(stage.agents)) {
    await unhold(admin, { subjectId: publicId, reason });
    await restoreIdentity(admin, { publicId, reason });
  }
  stage.delivered = stage.live.stripe.events.length;
}

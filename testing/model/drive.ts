import assert from "node:assert/strict";
import { newId } from "#lib/kernel/ids.ts";
import type { Answer } from "#testing/client.ts";
import { callAs, type TestAgent } from "#testing/factories.ts";
import { VERBS as STEPS, terms } from "#testing/requests.ts";
import { perform, type Work } from "#testing/workflow.ts";
import {
  type Act,
  amountOf,
  bringsTerms,
  contractOf,
  hasRightHash,
  isOtherRequest,
  outcomeOf,
  paymentOf,
  preparationOf,
  quoteOf,
  type Verb,
  wishOf,
} from "./act.ts";
import type { Lists } from "./expect.ts";
import { outside } from "./outside.ts";
import { type Made, NOTHING, type Outcome, type Read, type Stage } from "./stage.ts";
import type { ModelTask, World } from "./world.ts";

const WRONG_HASH = `sha256:${"0".repeat(64)}`;

/** Sends one command to the service. @param task its subject, if any */
export async function drive(stage: Stage, world: World, act: Act, task: ModelTask | undefined): Promise<Outcome> {
  const happened = outside(stage, world, act, task as ModelTask);
  if (happened) return happened;
  const requestId = newId("req");
  const { status, error, body } = await asService(stage, act, task, requestId);
  const gates = (error?.gates ?? []).filter(({ passed }) => !passed).map(({ gate }) => gate);
  const refused = { made: NOTHING, read: {} };
  return {
    status,
    code: error?.code,
    gates: gates.sort(),
    ...(error ? refused : { made: { ...made(body), requestId }, read: body }),
  };
}

function made({ contract, payment, dispute, quote, task }: Read): Omit<Made, "requestId"> {
  const id =
    contract?.contract_id ?? payment?.payment_id ?? dispute?.dispute_id ?? quote?.quote_id ?? task?.task_id ?? "";
  return { id, hash: contract?.terms_hash ?? "" };
}

type Send = (stage: Stage, act: Act, task: ModelTask) => Promise<Pick<Answer<Read>, "status" | "error" | "body">>;

const call =
  (method: "GET" | "POST", path: string, fieldsOf: (task: ModelTask, act: Act) => Record<string, unknown>): Send =>
  (stage, act, task) =>
    callAs<Read>(stage.agents[act.who], method, `/api/v1/${path}.php`, fieldsOf(task, act));

const quoteIdOf = (task: ModelTask, act: Act) => quoteOf(task, act)?.id ?? newId("qte");
const { amount_pence: _, ...quotedTerms } = terms(0);

/** The calls that are no steps of `perform`. */
const CALLS: Partial<Record<Verb, Send>> = {
  create_again: (stage, act, task) => {
    const budgetPence = task.budgetPence + (isOtherRequest(act) ? 1 : 0);
    const wish = { ...task, selected: task.selectedFirst, budgetPence };
    return create(stage, stage.agents[task.requester], wish, task.requestId);
  },
  list: (stage, act) => readLists(stage.agents[act.who]),
  verify: call("POST", "agents/verify", () => ({})),
  show: call("GET", "jobs/show", ({ id }) => ({ task_id: id })),
  show_contract: call("GET", "contracts/show", (task, act) => ({
    contract_id: contractOf(task, act)?.id ?? newId("con"),
  })),
  quote: call("POST", "jobs/quote", (task, act) => ({
    task_id: task.id,
    amount_pence: amountOf(task, act),
    note: "By tomorrow.",
  })),
  choose_quote: call("POST", "jobs/choose_quote", (task, act) => ({
    quote_id: quoteIdOf(task, act),
    ...(bringsTerms(act) ? { terms: quotedTerms, accept: true } : {}),
  })),
  withdraw_quote: call("POST", "jobs/quote_withdraw", (task, act) => ({ quote_id: quoteIdOf(task, act) })),
};

function asService(stage: Stage, act: Act, task: ModelTask | undefined, requestId: string) {
  const agent = stage.agents[act.who];
  if (act.verb === "create") return create(stage, agent, wishOf(act), requestId);
  const send = CALLS[act.verb];
  // Only a call that is about no task is sent without one.
  if (send) return send(stage, act, task as ModelTask);
  assert.ok(task);
  const contract = contractOf(task, act);
  const work: Work = {
    requester: stage.agents[task.requester],
    provider: stage.agents[task.provider ?? "stranger"],
    taskId: task.id,
    amountPence: amountOf(task, act),
    contractId: contract?.id ?? newId("con"),
    termsHash: contract && hasRightHash(act) ? contract.hash : WRONG_HASH,
    paymentId: paymentOf(task, act)?.id ?? newId("pay"),
  };
  const step = STEPS.find((verb) => verb === act.verb);
  assert.ok(step, act.verb);
  return perform(agent, step, work, overridesOf(task, act));
}

/** What a step says differently from the usual one. */
function overridesOf(task: ModelTask, act: Act): object {
  if (act.verb === "confirm") return { outcome: outcomeOf(act) };
  if (act.verb !== "prepare") return {};
  const prepared = preparationOf(task, act);
  return prepared ? { terms: terms(prepared.amountPence), accept: prepared.accept } : { terms: null };
}

type Wish = Pick<ModelTask, "listed" | "selected" | "budgetPence" | "skill" | "openTo">;

function create({ agents }: Stage, agent: TestAgent, wish: Wish, requestId: string) {
  const { listed, selected, budgetPence, skill, openTo } = wish;
  return callAs<Read>(agent, "POST", "/api/v1/jobs/create.php", {
    brief: "Count the words of a text.",
    budget_pence: budgetPence,
    client_request_id: requestId,
    visibility: listed ? "listed" : "unlisted",
    ...(skill ? { skill } : {}),
    ...(openTo === "quotes" ? { open_to: openTo } : {}),
    ...(selected ? { provider_public_id: agents[selected].publicId } : {}),
  });
}

type Listed = { tasks: { task_id: string }[] };

async function readLists(agent: TestAgent) {
  const ask = (of: string, query = {}) =>
    callAs<Listed>(agent, "GET", `/api/v1/jobs/${of}.php`, { limit: 100, ...query });
  const mine = await ask("mine");
  if (mine.error) return { ...mine, body: {} as Read };
  const ids = ({ body }: { body: Listed }) => body.tasks.map(({ task_id: id }) => id);
  const lists: Lists = {
    mine: ids(mine),
    list: ids(await ask("list")),
    provided: ids(await ask("mine", { role: "provider" })),
    inbox: ids(await ask("inbox")),
  };
  return { status: 200, error: undefined, body: { lists } as Read };
}

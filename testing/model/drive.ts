import assert from "node:assert/strict";
import { newId } from "#lib/kernel/ids.ts";
import { call } from "#testing/client.ts";
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

function asService(stage: Stage, act: Act, task: ModelTask | undefined, requestId: string) {
  const agent = stage.agents[act.who];
  switch (act.verb) {
    case "create":
      return create(stage, agent, wishOf(act), requestId);
    case "list":
      return readLists(agent);
    case "verify":
      return callAs<Read>(agent, "POST", "/api/v1/agents/verify.php");
  }
  assert.ok(task);
  switch (act.verb) {
    case "create_again": {
      const budgetPence = task.budgetPence + (isOtherRequest(act) ? 1 : 0);
      return create(
        stage,
        stage.agents[task.requester],
        { ...task, selected: task.selectedFirst, budgetPence },
        task.requestId,
      );
    }
    case "show":
      return callAs<Read>(agent, "GET", "/api/v1/jobs/show.php", { task_id: task.id });
    case "show_contract": {
      const contract_id = contractOf(task, act)?.id ?? newId("con");
      const query = { contract_id, public_id: agent.publicId };
      return call<Read>("GET", "/api/v1/contracts/show.php", { token: agent.token, query });
    }
  }
  const quote_id = quoteOf(task, act)?.id ?? newId("qte");
  switch (act.verb) {
    case "quote":
      return callAs<Read>(agent, "POST", "/api/v1/jobs/quote.php", {
        task_id: task.id,
        amount_pence: amountOf(task, act),
        note: "By tomorrow.",
      });
    case "choose_quote": {
      const { amount_pence: _, ...others } = terms(0);
      const prepared = bringsTerms(act) ? { terms: others, accept: true } : {};
      return callAs<Read>(agent, "POST", "/api/v1/jobs/choose_quote.php", { quote_id, ...prepared });
    }
    case "withdraw_quote":
      return callAs<Read>(agent, "POST", "/api/v1/jobs/quote_withdraw.php", { quote_id });
  }
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
  if (act.verb === "prepare") {
    const prepared = preparationOf(task, act);
    const fields = prepared ? { terms: terms(prepared.amountPence), accept: prepared.accept } : { terms: null };
    return perform(agent, "prepare", work, fields);
  }
  const step = STEPS.find((verb) => verb === act.verb);
  assert.ok(step, act.verb);
  return perform(agent, step, work, step === "confirm" ? { outcome: outcomeOf(act) } : {});
}

type Wish = Pick<ModelTask, "listed" | "selected" | "budgetPence" | "skill" | "openTo">;

function create({ agents }: Stage, agent: TestAgent, wish: Wish, requestId: string) {
  const { listed, selected, budgetPence, skill, openTo } = wish;
  return call<Read>("POST", "/api/v1/jobs/create.php", {
    token: agent.token,
    body: {
      public_id: agent.publicId,
      brief: "Count the words of a text.",
      budget_pence: budgetPence,
      client_request_id: requestId,
      visibility: listed ? "listed" : "unlisted",
      ...(skill ? { skill } : {}),
      ...(openTo === "quotes" ? { open_to: openTo } : {}),
      ...(selected ? { provider_public_id: agents[selected].publicId } : {}),
    },
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

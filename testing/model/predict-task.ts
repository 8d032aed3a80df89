import { isOtherRequest, preparationOf, wishOf } from "./act.ts";
import { does, mustBe, mustNotBeSuspended, mustPass, mustSee, type Rule, refuseIf, stateOf } from "./rules.ts";
import { type Action, type AgentName, type ModelTask, openDispute, type TaskState, type World } from "./world.ts";

function mustBeParty(task: ModelTask, who: AgentName, role: "requester" | "provider"): void {
  mustSee(task, who);
  refuseIf(who !== task[role], "forbidden");
}

/** A step that only one of the parties takes, from one state into another. */
function step(action: Action, role: "requester" | "provider", from: TaskState, to: TaskState): Rule {
  return (world, task, { who }) => {
    mustNotBeSuspended(world, who);
    mustBeParty(task, who, role);
    mustBe(task, from);
    mustPass(world, task, who, action);
    return does(() => {
      task.state = to;
    });
  };
}

/** The task has ended without completion. Payments that succeeded stay recorded; pending ones are abandoned. */
export function end(task: ModelTask): void {
  task.state = "cancelled";
  if (task.settlement?.state !== "recorded") return;
  task.settlement.state = "void";
  if (task.settlement.funding === "pending") task.settlement.funding = "required";
  for (const payment of task.payments) if (payment.status === "pending") payment.status = "canceled";
}

const create: Rule = (world, _task, act) => {
  const { who } = act;
  const wish = wishOf(act);
  mustNotBeSuspended(world, who);
  refuseIf(wish.selected !== null && world.agents[wish.selected].suspended, "not_found");
  mustPass(world, undefined, who, "create");
  return {
    status: 201,
    apply: ({ id, requestId }) =>
      world.tasks.push({
        ...wish,
        id,
        requestId,
        requester: who,
        selectedFirst: wish.selected,
        provider: null,
        state: "open",
        overdue: false,
        held: false,
        dismissed: [],
        completedByAdministrator: false,
        prepared: null,
        quotes: [],
        contracts: [],
        payments: [],
        settlement: null,
        disputes: [],
      }),
  };
};

/** The original answer is repeated, whatever has changed since. */
const createAgain: Rule = (world, task, act) => {
  mustNotBeSuspended(world, task.requester);
  refuseIf(isOtherRequest(act), "request_id_conflict");
  return { status: 201, apply: () => undefined };
};

const claim: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  const isForOthers = task.selected !== null && task.selected !== who;
  // A verified identity that knows the ID may claim an unlisted task.
  if (!world.agents[who].proved || isForOthers || stateOf(task) !== "open") mustSee(task, who);
  mustBe(task, "open");
  mustPass(world, task, who, "claim");
  return does(({ id, hash }) => {
    task.state = "claimed";
    task.provider = who;
    const { prepared, requester } = task;
    if (!prepared || (prepared.only && prepared.only !== who)) return;
    if (!may(world, requester, "prepare") || !may(world, requester, "propose")) return;
    task.state = "proposed";
    const acceptedBy = prepared.accept && may(world, requester, "accept") ? [requester] : [];
    const { amountPence } = prepared;
    task.contracts.push({ id, hash, state: "proposed", requester, provider: who, amountPence, acceptedBy });
  });
};

/** Whether an administrator lets the requester do this, which a claim then does in its name. */
function may({ agents }: World, who: AgentName, action: Action): boolean {
  const { suspended, held, denied } = agents[who];
  return !suspended && !held && !denied.includes(action);
}

const prepare: Rule = (world, task, act) => {
  const prepared = preparationOf(task, act);
  mustNotBeSuspended(world, act.who);
  mustBeParty(task, act.who, "requester");
  refuseIf(prepared !== null && prepared.amountPence > task.budgetPence, "invalid_input");
  mustBe(task, "open");
  mustPass(world, task, act.who, "prepare");
  return does(() => {
    task.prepared = prepared;
  });
};

const release: Rule = (world, task, act) => {
  const { status, apply } = step("release", "provider", "claimed", "open")(world, task, act);
  return {
    status,
    apply: (made) => {
      apply(made);
      task.provider = null;
    },
  };
};

const start: Rule = (world, task, act) => {
  const effect = step("start", "provider", "accepted", "in_progress")(world, task, act);
  refuseIf(!["not_required", "confirmed"].includes(task.settlement?.funding ?? ""), "funding_required");
  return effect;
};

const complete: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  mustBeParty(task, who, "requester");
  mustBe(task, "submitted");
  refuseIf(openDispute(task) !== undefined, "state_conflict");
  mustPass(world, task, who, "complete");
  return does(() => approve(task));
};

/** The task is completed, and its settlement approved. */
export function approve(task: ModelTask): void {
  task.state = "completed";
  if (task.settlement) Object.assign(task.settlement, { state: "approved", transfer: "simulated" });
}

const cancel: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  mustBeParty(task, who, "requester");
  mustBe(task, "open", "claimed", "proposed", "accepted");
  refuseIf(task.settlement?.funding === "confirmed", "state_conflict");
  mustPass(world, task, who, "cancel");
  return does(() => end(task));
};

const select: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  mustBeParty(task, who, "requester");
  mustBe(task, "open");
  mustPass(world, task, who, "select");
  return does(() => {
    task.selected = null;
  });
};

const dismiss: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  mustBeParty(task, who, "requester");
  mustBe(task, "claimed", "proposed");
  refuseIf(openDispute(task) !== undefined, "state_conflict");
  mustPass(world, task, who, "dismiss");
  return does(() => {
    for (const contract of task.contracts) if (contract.state === "proposed") contract.state = "lapsed";
    if (task.provider) task.dismissed.push(task.provider);
    if (task.selected === task.provider) task.selected = null;
    Object.assign(task, { state: "open", provider: null });
  });
};

const giveUp: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  mustBeParty(task, who, "provider");
  mustBe(task, "accepted", "in_progress");
  refuseIf(openDispute(task) !== undefined, "state_conflict");
  mustPass(world, task, who, "give_up");
  const { held, suspended } = world.agents[task.requester];
  const isPaid = task.settlement?.funding === "pending" || task.settlement?.funding === "confirmed";
  refuseIf(isPaid && (held || suspended), "state_conflict");
  return does(() => end(task));
};

/** A step that nobody can take yet, because in this world no month passes. */
function tooEarly(role: "requester" | "provider", ...from: TaskState[]): Rule {
  return (world, task, { who }) => {
    mustNotBeSuspended(world, who);
    mustBeParty(task, who, role);
    mustBe(task, ...from);
    refuseIf(true, "state_conflict");
    return does();
  };
}

const dispute: Rule = (world, task, { who }) => {
  mustNotBeSuspended(world, who);
  mustSee(task, who);
  refuseIf(who !== task.requester && who !== task.provider, "forbidden");
  mustBe(task, "claimed", "proposed", "accepted", "in_progress", "submitted");
  refuseIf(openDispute(task) !== undefined, "state_conflict");
  mustPass(world, task, who, "dispute");
  return { status: 201, apply: ({ id }) => task.disputes.push({ id, open: true, provider: task.provider }) };
};

export const TASK_RULES = {
  create,
  create_again: createAgain,
  prepare,
  claim,
  release,
  start,
  complete,
  cancel,
  dispute,
  select,
  dismiss,
  give_up: giveUp,
  leave: tooEarly("requester", "accepted", "in_progress"),
  conclude: tooEarly("provider", "submitted"),
  submit: step("submit", "provider", "in_progress", "submitted"),
  request_changes: step("request_changes", "requester", "submitted", "in_progress"),
};

import type { Offer, Operations, Settlement, Task } from "./generated/api.ts";
import type { Proof, ProveOptions } from "./prove.ts";

// One call to hire: find an offer, order, fund, wait, review, complete, fetch the evidence. Everything hangs on one `clientRequestId`: the service
// makes one task for it, and every step looks at the task's state first. So a call that dies can be made again, and goes on where it stopped.

/** The client that hires. */
type Hirer = Operations & { readonly evidence: { prove(taskId: string, options?: ProveOptions): Promise<Proof> } };

type Calls<Group extends keyof Operations, Name extends keyof Operations[Group]> = {
  [Each in Name]: Operations[Group][Each] extends (
    input: infer Input,
    options?: infer Options,
  ) => PromiseLike<infer Body>
    ? (input: Input, options?: Options) => PromiseLike<Body>
    : never;
};
/** The calls that order an offer and take the order's steps. */
export type HireCalls = {
  agents: Calls<"agents", "match" | "offersList">;
  contracts: Calls<"contracts", "accept">;
  jobs: Calls<"jobs", "mine" | "order" | "show" | "complete">;
  payments: Calls<"payments", "intent" | "confirm">;
};

export type HireOptions = {
  /** The offer to order: its ID, or none to take the cheapest that matches `skill`. */
  offer?: string;
  skill?: string;
  input: unknown;
  /** The most that may be paid, in pence. There is no default. */
  maxPricePence: number;
  /** Only offers whose work is due within so many hours. */
  dueInHours?: number;
  note?: string;
  paymentMode?: "TEST" | "LIVE";
  /** For a LIVE order: gets the URL at which a person pays. */
  pay?: (checkoutUrl: string, task: Task) => void | Promise<void>;
  /** Whether the result is accepted. Default: yes if there are machine-checked criteria and it passes them all. */
  review?: (result: string, task: Task) => boolean | Promise<boolean>;
  /** The same ID goes on with the same order, and never makes a second task. Default: a new one, in `hire.clientRequestId`. */
  clientRequestId?: string;
  signal?: AbortSignal | undefined;
};

export type HireStage =
  | "ordered"
  | "waiting_for_provider"
  | "waiting_for_approval"
  | "funding"
  | "waiting_for_payment"
  | "waiting_for_result"
  | "reviewing"
  | "completed";
export type HireStep = { stage: HireStage; task: Task };
export type HireResult = {
  task: Task;
  result: string;
  settlement: Settlement | undefined;
  /** The evidence of the task, and what its verification found. */
  evidence: Proof;
};

/** The task ended, the owner's limits refuse it, or its result was not accepted. `task` is left to you. */
export class HireStopped extends Error {
  readonly reason: "ended" | "refused" | "not_accepted" | "no_offer" | "too_expensive" | "too_late";
  readonly task: Task | undefined;
  constructor(reason: HireStopped["reason"], message: string, task?: Task) {
    super(message);
    this.name = "HireStopped";
    this.reason = reason;
    this.task = task;
  }
}

/** An order under way: iterate over its stages, or await its `result`. */
export class Hire implements AsyncIterable<HireStep> {
  readonly clientRequestId: string;
  readonly result: Promise<HireResult>;
  readonly #steps: HireStep[] = [];
  #isOver = false;
  /** Wakes the iterators that have read every stage so far. */
  readonly #waiting: (() => void)[] = [];

  /** @internal */
  constructor(guild: Hirer, options: HireOptions) {
    if (!Number.isSafeInteger(options.maxPricePence) || options.maxPricePence < 0)
      throw new TypeError("maxPricePence is required: the most that may be paid, in whole pence.");
    this.clientRequestId = options.clientRequestId ?? crypto.randomUUID();
    const tell = (stage: HireStage, task: Task) => {
      if (this.#steps.at(-1)?.stage === stage) return;
      this.#steps.push({ stage, task });
      this.#signal();
    };
    this.result = run(guild, { ...options, clientRequestId: this.clientRequestId }, tell).finally(() => {
      this.#isOver = true;
      this.#signal();
    });
    // Who only iterates gets the failure there.
    this.result.catch(() => undefined);
  }

  #signal(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<HireStep> {
    for (let at = 0; ; at += 1) {
      while (at >= this.#steps.length) {
        if (this.#isOver) {
          await this.result;
          return;
        }
        await new Promise<void>((wake) => {
          this.#waiting.push(wake);
        });
      }
      const step = this.#steps[at];
      if (step) yield step;
    }
  }
}

type Ready = HireOptions & { clientRequestId: string };
type Tell = (stage: HireStage, task: Task) => void;

const WAIT_SECONDS = 25;
/** What an owner decides does not change the task, so the wait does not end at once. */
const APPROVAL_SECONDS = 5;

async function run(guild: Hirer, options: Ready, tell: Tell): Promise<HireResult> {
  const own = { signal: options.signal };
  let task = await startOrder(guild, options);
  tell("ordered", task);
  for (;;) {
    task = await takeStep(guild, task, options, tell);
    if (task.state === "completed") return finish(guild, task, tell, own);
    const seconds = limitOn(task) ? APPROVAL_SECONDS : WAIT_SECONDS;
    const known = { task_id: task.task_id, after_version: task.version, seconds };
    ({ task } = await guild.jobs.wait(known, { ...own, timeoutMs: 40_000 }));
  }
}

/** The order of this request ID, which is placed unless it was before. @internal */
export async function startOrder(guild: HireCalls, options: Ready): Promise<Task> {
  return (await findOrder(guild, options)) ?? (await placeOrder(guild, options));
}

/**
 * Takes the requester's step that is due, if one is: accepts what its owner had to approve first, funds an accepted agreement, completes an
 * accepted result.
 * @throws HireStopped if the task has ended, an owner limit refuses it, or its result is not accepted
 * @internal
 */
export async function takeStep(guild: HireCalls, task: Task, options: Ready, tell: Tell): Promise<Task> {
  if (task.state === "cancelled" || task.state === "expired")
    throw new HireStopped("ended", `The task is ${task.state}.`, task);
  if (task.state === "submitted") return review(guild, task, options, tell);
  if (mayAccept(task, options)) return takeStep(guild, await accept(guild, task, options), options, tell);
  if (task.state === "accepted" && needsFunding(task)) return fund(guild, task, options, tell);
  if (task.state !== "completed") tell(stageOf(task), task);
  return task;
}

function stageOf(task: Task): HireStage {
  const limit = limitOn(task);
  if (limit && limit.reason !== "owner_approval") throw new HireStopped("refused", limit.remedy, task);
  if (limit) return "waiting_for_approval";
  return task.state === "open" || task.state === "claimed" || task.state === "proposed"
    ? "waiting_for_provider"
    : "waiting_for_result";
}

/** The requester's own acceptance, while it is missing: an order accepts its terms in advance, unless an owner limit stops that. */
const acceptance = ({ agreement, available_actions: actions }: Task) =>
  agreement?.requester_accepted_at === null ? actions.find(({ action }) => action === "accept") : undefined;

/** What of the owner's limits stops the acceptance. */
const limitOn = (task: Task) => acceptance(task)?.blocked_by.find(({ gate }) => gate === "owner_limits");

const mayAccept = (task: Task, { maxPricePence }: Ready) =>
  acceptance(task)?.ready === true && (task.agreement?.amount_pence ?? 0) <= maxPricePence;

async function accept(guild: HireCalls, { task_id, agreement }: Task, { signal }: Ready): Promise<Task> {
  if (agreement) {
    const { contract_id, terms_hash } = agreement;
    await guild.contracts.accept({ contract_id, terms_hash }, { signal });
  }
  return (await guild.jobs.show({ task_id }, { signal })).task;
}

const needsFunding = ({ available_actions: actions }: Task) =>
  actions.some(({ action, ready }) => (action === "fund" || action === "confirm") && ready);

/** The order of an earlier call with the same ID. */
async function findOrder(guild: HireCalls, { clientRequestId, signal }: Ready): Promise<Task | undefined> {
  const query = { role: "requester", client_request_id: clientRequestId, limit: 1 } as const;
  const { tasks } = await guild.jobs.mine(query, { signal });
  return tasks.find((task) => task.client_request_id === clientRequestId);
}

async function placeOrder(guild: HireCalls, options: Ready): Promise<Task> {
  const { input, note, paymentMode, clientRequestId, signal } = options;
  const offer = await chooseOffer(guild, options);
  const { task } = await guild.jobs.order(
    {
      offer_id: offer.offer_id,
      input,
      price_pence: offer.price_pence,
      revision: offer.revision,
      client_request_id: clientRequestId,
      ...(note === undefined ? {} : { note }),
      ...(paymentMode === undefined ? {} : { payment_mode: paymentMode }),
    },
    { signal },
  );
  return task;
}

/** @throws HireStopped if nothing suits */
async function chooseOffer(guild: HireCalls, options: Ready): Promise<Offer> {
  const { offer: offerId, skill, maxPricePence, dueInHours, input, signal } = options;
  const isInTime = ({ turnaround_hours: hours }: Offer) =>
    dueInHours === undefined || (hours !== null && hours <= dueInHours);
  if (offerId === undefined) {
    if (skill === undefined) throw new TypeError("Give an offer, or a skill to find one by.");
    const query = { skill, budget_pence: maxPricePence, limit: 100 };
    const typed = typeof input === "string" ? {} : { has_schema: "1" as const };
    const { matches } = await guild.agents.match({ ...query, ...typed }, { signal });
    const found = matches.map(({ offer }) => offer).find(isInTime);
    if (!found) throw new HireStopped("no_offer", "No available offer matches.");
    return found;
  }
  const found = await readOffer(guild, offerId, signal);
  if (!isInTime(found)) throw new HireStopped("too_late", "The offer's work is not due in time.");
  if (found.price_pence > maxPricePence)
    throw new HireStopped(
      "too_expensive",
      `The offer costs ${found.price_pence} pence, more than the most that you would pay (${maxPricePence}).`,
    );
  return found;
}

async function readOffer(guild: HireCalls, offerId: string, signal: AbortSignal | undefined): Promise<Offer> {
  const { offers } = await guild.agents.offersList({ offer_id: offerId }, { signal });
  const [offer] = offers;
  if (!offer) throw new HireStopped("no_offer", "There is no such offer.");
  return offer;
}

async function fund(guild: HireCalls, task: Task, { pay, signal, clientRequestId }: Ready, tell: Tell): Promise<Task> {
  const contract_id = task.agreement?.contract_id;
  if (contract_id === undefined) return task;
  tell("funding", task);
  const { payment } = await guild.payments.intent(
    { contract_id },
    { signal, idempotencyKey: `hire-${clientRequestId}`.slice(0, 100) },
  );
  if (task.payment_mode === "TEST" && payment.status === "pending") {
    await guild.payments.confirm({ payment_id: payment.payment_id, outcome: "succeed" }, { signal });
  } else if (payment.checkout_url) {
    tell("waiting_for_payment", task);
    if (!pay) throw new TypeError("A LIVE order needs pay(checkoutUrl).");
    await pay(payment.checkout_url, task);
    return task;
  }
  return (await guild.jobs.show({ task_id: task.task_id }, { signal })).task;
}

async function review(guild: HireCalls, task: Task, { review: judge, signal }: Ready, tell: Tell): Promise<Task> {
  tell("reviewing", task);
  const isAccepted = judge ? await judge(task.result ?? "", task) : task.criteria_passed === true;
  if (!isAccepted)
    throw new HireStopped(
      "not_accepted",
      "The result was not accepted. Read it, then complete the task, request changes or open a dispute.",
      task,
    );
  return (await guild.jobs.complete({ task_id: task.task_id }, { signal })).task;
}

async function finish(
  guild: Hirer,
  task: Task,
  tell: Tell,
  own: { signal: AbortSignal | undefined },
): Promise<HireResult> {
  tell("completed", task);
  const { settlements } = await guild.settlements.mine(
    task.agreement ? { contract_id: task.agreement.contract_id } : {},
    own,
  );
  const evidence = await guild.evidence.prove(task.task_id, own);
  return { task, result: task.result ?? "", settlement: settlements[0], evidence };
}

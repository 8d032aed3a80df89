import assert from "node:assert/strict";
import { Chance } from "#stripe-stand-in/random.ts";
import { SEED } from "#testing/seed.ts";
import { type Act, taskOf } from "./act.ts";
import { choose } from "./choose.ts";
import { drive } from "./drive.ts";
import { expectedActions, expectedLists, liveQuotes } from "./expect.ts";
import { compare } from "./facts.ts";
import { reset } from "./outside.ts";
import { predict } from "./predict.ts";
import { quoteStateOf } from "./predict-quote.ts";
import { stateOf } from "./rules.ts";
import type { Read, Stage } from "./stage.ts";
import { AGENTS, type AgentName, type ModelTask, newWorld, type World } from "./world.ts";

/** How often each command ended in each way. */
export type Tally = Map<string, number>;

/** Gives one command to the model and the service. @throws if they differ @returns the outcome */
async function take(stage: Stage, world: World, act: Act): Promise<string> {
  const ended = await give(stage, world, act);
  await compare(world, stage);
  // How the task then looks to one of the agents.
  const onlooker = AGENTS[act.variant % AGENTS.length] ?? act.who;
  if (act.verb !== "show") await give(stage, world, { ...act, verb: "show", who: onlooker });
  return ended;
}

async function give(stage: Stage, world: World, act: Act): Promise<string> {
  const prediction = predict(world, act);
  if (!prediction) return "about nothing";
  const task = taskOf(world, act);
  const { status, code, gates, made, read } = await drive(stage, world, act, task);
  const { apply, ...expected } = prediction;
  assert.deepEqual({ status, code, gates }, expected);
  apply(made);
  agrees(world, act, read, act.verb === "create" ? world.tasks.at(-1) : task);
  return code ?? "done";
}

/** Checks that an answer shows the new state, and only what its reader may know. */
function agrees(world: World, act: Act, read: Read, task: ModelTask | undefined): void {
  const { verb, who } = act;
  if (read.lists) {
    const expected = expectedLists(world, who);
    const ids = new Set(world.tasks.map(({ id }) => id));
    const lists = Object.entries(read.lists).map(([name, all]) => [name, all.filter((id) => ids.has(id))]);
    assert.deepEqual(Object.fromEntries(lists), expected);
  }
  if (!task) return;
  // A retry repeats the answer of the creation.
  if (verb === "create_again") assert.ok(!read.task || (read.task.task_id === task.id && read.task.state === "open"));
  else if (read.task) {
    const live = liveQuotes(task).length;
    const counted = task.openTo === "quotes" ? (live === 0 ? "0" : live < 5 ? "1-4" : "5+") : undefined;
    assert.deepEqual([read.task.state, read.task.live_quotes], [stateOf(task), counted]);
    // What parties say is no part of the model: lib/tasks/messages has its own tests.
    const steps = read.task.available_actions.filter(({ action }) => action !== "message" && action !== "clarify");
    const offered = steps.map(({ action, ready }) => [action, ready]);
    assert.deepEqual(Object.fromEntries(offered), expectedActions(world, task, who));
  }
  if (read.contract) agreesOnTerms(who, read.contract, task);
  const quote = task.quotes.find(({ id }) => id === read.quote?.quote_id);
  if (read.quote) assert.equal(read.quote.state, quote && quoteStateOf(task, quote));
  const { payment } = read;
  if (payment)
    assert.ok(task.payments.some(({ id, status }) => id === payment.payment_id && status === payment.status));
  // Accepting again repeats the settlement as it was first recorded.
  if (!read.settlement || !task.settlement || verb === "accept") return;
  const { state, funding, transfer, gross_pence: grossPence } = read.settlement;
  const known = task.settlement;
  assert.deepEqual(
    { state, funding, transfer, grossPence },
    { state: known.state, funding: known.funding, transfer: known.transfer, grossPence: known.grossPence },
  );
}

/** Everyone who can see an agreement sees its state, hash and amount; only its parties see the terms. */
function agreesOnTerms(who: AgentName, read: NonNullable<Read["contract"]>, task: ModelTask): void {
  const contract = task.contracts.find(({ id }) => id === read.contract_id);
  const isOwn = who === contract?.requester || who === contract?.provider;
  assert.deepEqual(
    [read.state, read.terms_hash, read.amount_pence, read.terms !== undefined],
    [contract?.state, contract?.hash, contract?.amountPence, isOwn],
  );
}

/** Gives `length` commands, chosen by the seed. @throws with the seed and the shortest failing course if model and service differ */
export async function go(stage: Stage, seed: string, length: number, tally: Tally): Promise<void> {
  const chance = new Chance(seed);
  const world = newWorld();
  const path: Act[] = [];
  let next: Act[] = [];
  await reset(stage);
  while (path.length < length) {
    if (next.length === 0) next = choose(world, chance);
    const act = next.shift() as Act;
    path.push(act);
    const ended = await take(stage, world, act).catch((error) => report(stage, path, error));
    tally.set(`${act.verb}: ${ended}`, (tally.get(`${act.verb}: ${ended}`) ?? 0) + 1);
  }
}

/** Repeats the commands from the start. @returns the difference, and how many commands it took */
async function repeat(stage: Stage, path: readonly Act[]): Promise<{ needed: number; error: unknown } | undefined> {
  const world = newWorld();
  await reset(stage);
  for (const [at, act] of path.entries())
    try {
      await take(stage, world, act);
    } catch (error) {
      return { needed: at + 1, error };
    }
  return undefined;
}

async function report(stage: Stage, path: Act[], first: unknown): Promise<never> {
  let found = await repeat(stage, path);
  let shortest = path.slice(0, found?.needed ?? path.length);
  for (let size = shortest.length >> 1; found && size > 0; size >>= 1)
    for (let at = shortest.length - size; at >= 0; at -= size) {
      const fewer = shortest.toSpliced(at, size);
      const still = await repeat(stage, fewer);
      if (!still) continue;
      found = still;
      shortest = fewer.slice(0, still.needed);
      at = Math.min(at, shortest.length);
    }
  const steps = shortest.map(({ verb, who, at, variant }) => `  ${verb} as ${who}, at ${at}, variant ${variant}`);
  const note = found ? "" : " (and the repetition did not)";
  throw new Error(`Model and service differ${note}. TEST_SEED=${SEED}\n${steps.join("\n")}`, {
    cause: found?.error ?? first,
  });
}

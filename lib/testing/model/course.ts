import assert from "node:assert/strict";
import { Chance } from "#lib/testing/stripe/random.ts";
import { type Act, taskOf, type Verb } from "./act.ts";
import { choose } from "./choose.ts";
import { drive, type Read, reset, type Stage } from "./drive.ts";
import { compare } from "./facts.ts";
import { predict } from "./predict.ts";
import { stateOf } from "./rules.ts";
import { type ModelTask, newWorld, type World } from "./world.ts";

/** How often each command ended in each way. */
export type Tally = Map<string, number>;

/** One command to the model and to the service. @throws where they differ @returns how it ended */
async function take(stage: Stage, world: World, act: Act): Promise<string> {
  const prediction = predict(world, act);
  if (!prediction) return "about nothing";
  const task = taskOf(world, act);
  const { status, code, made, read } = await drive(stage, act, task);
  assert.deepEqual({ status, code }, { status: prediction.status, code: prediction.code });
  prediction.apply(made);
  agrees(act.verb, read, act.verb === "create" ? world.tasks.at(-1) : task);
  await compare(world, stage.agents);
  return code ?? "done";
}

/** What an answer says of the task and its settlement is what has become of them. */
function agrees(verb: Verb, read: Read, task: ModelTask | undefined): void {
  if (read.task) assert.equal(read.task.state, task && stateOf(task));
  if (read.payment)
    assert.ok(
      task?.payments.some(({ id, status }) => id === read.payment?.payment_id && status === read.payment.status),
    );
  // Accepting answers with the settlement as it was recorded, for ever.
  if (!read.settlement || verb === "accept") return;
  const { state, funding, transfer, gross_pence: grossPence } = read.settlement;
  assert.deepEqual({ state, funding, transfer, grossPence }, task?.settlement);
}

/** Goes a way of so many commands, chosen by the seed alone. @throws with the seed and the shortest way, where model and service differ */
export async function go(stage: Stage, seed: string, length: number, tally: Tally): Promise<void> {
  const chance = new Chance(seed);
  const world = newWorld();
  const path: Act[] = [];
  await reset(stage);
  while (path.length < length) {
    const act = choose(world, chance);
    path.push(act);
    const ended = await take(stage, world, act).catch((error) => report(stage, seed, path, error));
    tally.set(`${act.verb}: ${ended}`, (tally.get(`${act.verb}: ${ended}`) ?? 0) + 1);
  }
}

/** The same commands again, from the beginning. @returns the difference that they lead to, and how many were needed for it */
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

async function report(stage: Stage, seed: string, path: Act[], first: unknown): Promise<never> {
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
  const told = found ? "" : " (it did not happen again)";
  throw new Error(`Model and service differ${told}. MODEL_SEED=${seed}\n${steps.join("\n")}`, {
    cause: found?.error ?? first,
  });
}

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import { Client } from "pg";

/** Thrown in a flow that has been killed. */
class Death extends Error {}

type Fuse = { left: number; steps: string[] };

const fuses = new AsyncLocalStorage<Fuse>();

/** Counts one step of the current flow if it has a fuse. @returns whether it is dead */
function burn(what: string): boolean {
  const fuse = fuses.getStore();
  if (!fuse) return false;
  fuse.left -= 1;
  if (fuse.left >= 0) fuse.steps.push(what);
  return fuse.left < 0;
}

type Query = (this: Client, ...args: unknown[]) => unknown;

/**
 * Lets flows of this process die between two steps towards the world outside, without ending the process. Steps are: each
 * statement to the database, each call of Stripe before it takes effect, and the answer to it. From its death on, a flow
 * reaches nothing any more, and the database connections that it holds break. To be called once.
 * @returns what puts everything back
 */
export function installFuses(): () => void {
  const query = Client.prototype.query as Query;
  const request = http.request as (...args: unknown[]) => http.ClientRequest;
  const mortalQuery: Query = function (...args) {
    const [statement] = args as [string | { text?: string }];
    if (!burn(typeof statement === "string" ? statement : (statement.text ?? ""))) return query.apply(this, args);
    // The pool must not reuse a dead flow's connection.
    Object.assign(this, { _queryable: false });
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    const death = new Death("The process has died.");
    const done = args.at(-1);
    if (typeof done !== "function") return Promise.reject(death);
    process.nextTick(() => done(death));
    return undefined;
  };
  const mortalRequest = (...args: unknown[]) => {
    const { method, path } = args[0] as { method?: string; path?: string };
    if (burn(`${method} ${path}`)) throw new Death("The process has died.");
    const sent = request(...args);
    if (!burn(`answer to ${method} ${path}`)) return sent;
    // The call reaches Stripe, but the answer is lost.
    const emit = sent.emit.bind(sent);
    sent.emit = (name: string | symbol, ...rest: unknown[]) => {
      if (name !== "response") return emit(name as "error", ...(rest as [Error]));
      (rest[0] as http.IncomingMessage).resume();
      return emit("error", new Death("The process has died."));
    };
    return sent;
  };
  Object.assign(Client.prototype, { query: mortalQuery });
  Object.assign(http, { request: mortalRequest });
  return () => {
    Object.assign(Client.prototype, { query });
    Object.assign(http, { request });
  };
}

/** Runs `work` and kills it after `steps` steps. @returns the steps that it took, and whether it was killed */
export async function dieAfter(
  steps: number,
  work: () => Promise<unknown>,
): Promise<{ steps: string[]; died: boolean }> {
  const fuse: Fuse = { left: steps, steps: [] };
  await fuses.run(fuse, work).catch(() => undefined);
  return { steps: fuse.steps, died: fuse.left < 0 };
}

/** How many points around each write at Stripe are tested, and how often each. */
const POINTS = 8;
const DEATHS = 25;

function pointsAround(write: number, steps: number): number[] {
  const first = Math.min(Math.max(write - POINTS / 2 + 1, 0), steps - POINTS);
  return Array.from({ length: POINTS }, (_, point) => first + point);
}

/**
 * Kills flows at every step: repeatedly around each write, once at each other step.
 * @param plant creates `count` subjects
 * @param write the steps that write at Stripe
 * @returns all subjects; the first was processed without interruption
 */
export async function dieAround<T>(
  write: RegExp,
  plant: (count: number) => Promise<T[]>,
  act: (thing: T) => Promise<unknown>,
): Promise<T[]> {
  const [whole] = await plant(1);
  assert.ok(whole);
  const { steps } = await dieAfter(Number.POSITIVE_INFINITY, () => act(whole));
  assert.ok(steps.some((step) => write.test(step)) && steps.length >= POINTS, steps.join("\n"));
  const around = new Set(steps.flatMap((step, at) => (write.test(step) ? pointsAround(at, steps.length) : [])));
  const plan = steps.flatMap((_, step) => Array<number>(around.has(step) ? DEATHS : 1).fill(step));
  const things = await plant(plan.length);
  const deaths = new Map<number, number>();
  // One after the other: Prisma gathers what is asked for at the same moment into one statement, which then is one flow's alone.
  for (const [index, step] of plan.entries()) {
    const { died } = await dieAfter(step, () => act(things[index] as T));
    if (died) deaths.set(step, (deaths.get(step) ?? 0) + 1);
  }
  for (const step of around) assert.equal(deaths.get(step), DEATHS, `deaths before ${steps[step]}`);
  return [whole, ...things];
}

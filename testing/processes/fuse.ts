import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import type { TestContext } from "node:test";
import { Client } from "pg";

/** Thrown in a flow after its simulated crash. */
class Crash extends Error {}

type Fuse = { left: number; steps: string[] };

const fuses = new AsyncLocalStorage<Fuse>();

/** Counts one step of the current flow if it has a fuse. @returns whether the flow has crashed */
function burn(what: string): boolean {
  const fuse = fuses.getStore();
  if (!fuse) return false;
  fuse.left -= 1;
  if (fuse.left >= 0) fuse.steps.push(what);
  return fuse.left < 0;
}

type Query = (this: Client, ...args: unknown[]) => unknown;

/**
 * Makes it possible to simulate a crash of one flow between two external steps, without ending the process. The steps are: each
 * database statement, each call to Stripe before it takes effect, and the answer to it. After its crash a flow can no longer
 * reach the database or Stripe, and its database connections break. Call it once.
 * @returns a function that restores the original methods
 */
export function installFuses(): () => void {
  const query = Client.prototype.query as Query;
  const request = http.request as (...args: unknown[]) => http.ClientRequest;
  const fusedQuery: Query = function (...args) {
    const [statement] = args as [string | { text?: string }];
    if (!burn(typeof statement === "string" ? statement : (statement.text ?? ""))) return query.apply(this, args);
    // The pool must not reuse the connection of a crashed flow.
    Object.assign(this, { _queryable: false });
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    const crash = new Crash("The simulated process has crashed.");
    const done = args.at(-1);
    if (typeof done !== "function") return Promise.reject(crash);
    process.nextTick(() => done(crash));
    return undefined;
  };
  const fusedRequest = (...args: unknown[]) => {
    const { method, path } = args[0] as { method?: string; path?: string };
    if (burn(`${method} ${path}`)) throw new Crash("The simulated process has crashed.");
    const sent = request(...args);
    if (!burn(`answer to ${method} ${path}`)) return sent;
    // The call reaches Stripe, but the answer is lost.
    const emit = sent.emit.bind(sent);
    sent.emit = (name: string | symbol, ...rest: unknown[]) => {
      if (name !== "response") return emit(name as "error", ...(rest as [Error]));
      (rest[0] as http.IncomingMessage).resume();
      return emit("error", new Crash("The simulated process has crashed."));
    };
    return sent;
  };
  Object.assign(Client.prototype, { query: fusedQuery });
  Object.assign(http, { request: fusedRequest });
  return () => {
    Object.assign(Client.prototype, { query });
    Object.assign(http, { request });
  };
}

/** Runs `work` and simulates a crash after `steps` steps. @returns the steps that it took, and whether it crashed */
export async function dieAfter(
  steps: number,
  work: () => Promise<unknown>,
): Promise<{ steps: string[]; died: boolean }> {
  const fuse: Fuse = { left: steps, steps: [] };
  await fuses.run(fuse, work).catch(() => undefined);
  return { steps: fuse.steps, died: fuse.left < 0 };
}

/** How many points around each write at Stripe are tested, and how often each: `CRASH_REPEATS` sets that. */
const POINTS = 8;
const REPEATS = Number(process.env.CRASH_REPEATS ?? 1);
/** Away from those writes every twelfth step is tested; `CRASH_EVERY=1` tests each of them. */
const EVERY = Number(process.env.CRASH_EVERY ?? 12);

function pointsAround(write: number, steps: number): number[] {
  const first = Math.min(Math.max(write - Math.ceil(POINTS / 2) + 1, 0), steps - POINTS);
  return Array.from({ length: POINTS }, (_, point) => first + point);
}

/**
 * Simulates a crash at the steps of a flow: repeatedly at each around a write, once at some of the others. The test reports how many.
 * @param createAll creates `count` subjects
 * @param write matches the steps that write at Stripe
 * @returns all subjects; the first was processed without interruption
 */
export async function dieAround<T>(
  t: TestContext,
  write: RegExp,
  createAll: (count: number) => Promise<T[]>,
  act: (thing: T) => Promise<unknown>,
): Promise<T[]> {
  const [whole] = await createAll(1);
  assert.ok(whole);
  const { steps } = await dieAfter(Number.POSITIVE_INFINITY, () => act(whole));
  assert.ok(steps.some((step) => write.test(step)) && steps.length >= POINTS, steps.join("\n"));
  const around = new Set(steps.flatMap((step, at) => (write.test(step) ? pointsAround(at, steps.length) : [])));
  const times = (step: number) => (around.has(step) ? REPEATS : step % EVERY === 0 ? 1 : 0);
  const plan = steps.flatMap((_, step) => Array<number>(times(step)).fill(step));
  const things = await createAll(plan.length);
  const crashes = new Map<number, number>();
  // One after the other: Prisma batches simultaneous queries into one statement, which would then count for a single flow.
  for (const [index, step] of plan.entries()) {
    const { died } = await dieAfter(step, () => act(things[index] as T));
    if (died) crashes.set(step, (crashes.get(step) ?? 0) + 1);
  }
  for (const step of around) assert.equal(crashes.get(step), REPEATS, `crashes before ${steps[step]}`);
  const crashed = [...crashes.values()].reduce((sum, count) => sum + count, 0);
  t.diagnostic(
    `${crashed} crashes: ${REPEATS} at each of ${around.size} points, and ${crashed - around.size * REPEATS} elsewhere`,
  );
  return [whole, ...things];
}

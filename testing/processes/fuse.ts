import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import type { TestContext } from "node:test";
import { Client } from "pg";

/** Thrown in a flow after its simulated crash. */
class Crash extends Error {}

type Fuse = { left: number; steps: string[] };

const fuses = new AsyncLocalStorage<Fuse>();

/** Counts a step of the current flow, if it has a fuse and the step leaves something behind. @returns whether the flow has crashed */
function burn(what: string, lasts: boolean): boolean {
  const fuse = fuses.getStore();
  if (!fuse) return false;
  if (lasts && fuse.left >= 0) {
    fuse.left -= 1;
    if (fuse.left >= 0) fuse.steps.push(what);
  }
  return fuse.left < 0;
}

const inTransaction = new WeakSet<Client>();

/** Whether this statement leaves something behind: a COMMIT does, and outside a transaction everything that may write. */
function lasts(client: Client, text: string): boolean {
  const [verb = ""] = text.trimStart().split(/\W/, 1);
  const isWithin = inTransaction.has(client);
  if (verb === "BEGIN") inTransaction.add(client);
  if (verb === "COMMIT" || verb === "ROLLBACK") inTransaction.delete(client);
  if (isWithin) return verb === "COMMIT";
  return !/^(BEGIN|ROLLBACK|SELECT)$/.test(verb) || text.includes("graphile_worker.");
}

type Query = (this: Client, ...args: unknown[]) => unknown;

/**
 * Makes it possible to simulate a crash of one flow before any step that leaves something behind, without ending the process. These
 * steps are: each COMMIT, each statement outside a transaction that may write, each call that writes at Stripe before it takes effect,
 * and the answer to it. A crash at any other moment is the same as the one before the next of these steps. After its crash a flow can
 * no longer reach the database or Stripe, and its database connections break. Call it once.
 * @returns a function that restores the original methods
 */
export function installFuses(): () => void {
  const query = Client.prototype.query as Query;
  const request = http.request as (...args: unknown[]) => http.ClientRequest;
  const fusedQuery: Query = function (...args) {
    const [statement] = args as [string | { text?: string }];
    const text = typeof statement === "string" ? statement : (statement.text ?? "");
    if (!burn(text, lasts(this, text))) return query.apply(this, args);
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
    const writes = method !== "GET";
    if (burn(`${method} ${path}`, writes)) throw new Crash("The simulated process has crashed.");
    const sent = request(...args);
    if (!burn(`answer to ${method} ${path}`, writes)) return sent;
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

/** Runs `work` and simulates a crash after so many steps. @returns the steps that it took, and whether it crashed */
async function dieAfter(steps: number, work: () => Promise<unknown>): Promise<{ steps: string[]; died: boolean }> {
  const fuse: Fuse = { left: steps, steps: [] };
  await fuses.run(fuse, work).catch(() => undefined);
  return { steps: fuse.steps, died: fuse.left < 0 };
}

/** How often a flow crashes before each of its steps. */
const REPEATS = Number(process.env.CRASH_REPEATS ?? 1);

/**
 * Simulates a crash before each step of a flow that leaves something behind.
 * @param createAll creates `count` subjects
 * @param write matches a step that the flow must take
 * @returns all subjects; the first two were processed without interruption
 */
export async function dieAtEachStep<T>(
  t: TestContext,
  write: RegExp,
  createAll: (count: number) => Promise<T[]>,
  act: (thing: T) => Promise<unknown>,
): Promise<T[]> {
  const wholes = await createAll(2);
  let steps: string[] = [];
  // A process does some things only once, so the second flow is the measure.
  for (const whole of wholes) ({ steps } = await dieAfter(Number.POSITIVE_INFINITY, () => act(whole)));
  assert.ok(
    steps.some((step) => write.test(step)),
    steps.join("\n"),
  );
  const plan = steps.flatMap((_, step) => Array<number>(REPEATS).fill(step));
  const things = await createAll(plan.length);
  // One after the other: Prisma batches simultaneous queries into one statement, which would then count for a single flow.
  for (const [index, step] of plan.entries()) {
    const { died } = await dieAfter(step, () => act(things[index] as T));
    assert.ok(died, `no crash before ${steps[step]}`);
  }
  t.diagnostic(`${plan.length} crashes: ${REPEATS} before each of ${steps.length} steps`);
  return [...wholes, ...things];
}

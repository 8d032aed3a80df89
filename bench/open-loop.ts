import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export type Call = { method: "GET" | "POST"; path: string; token?: string; body?: object };

/** One answered call: what it was, and its milliseconds from the moment at which it was due. */
type Answered = { name: string; milliseconds: number; status: number };

export type Caller = {
  /** Sends a call that was due at `due` (of `performance.now()`); never rejects: what fails has status 0. */
  send(name: string, call: Call, due?: number): Promise<Answered>;
  close(): void;
};

/** Calls over at most `connections` connections, which are kept open. */
export function openCaller(url: string, connections: number): Caller {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  return {
    send(name, { method, path, token, body }, due = performance.now()) {
      const payload = body && JSON.stringify(body);
      const headers = {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(payload ? { "content-type": "application/json", "content-length": Buffer.byteLength(payload) } : {}),
      };
      return new Promise((done) => {
        const answer = (status: number) => done({ name, status, milliseconds: performance.now() - due });
        const sent = request({ hostname, port, method, path, headers, agent }, (response) => {
          response.resume();
          response.once("end", () => answer(response.statusCode ?? 0));
          response.once("error", () => answer(0));
        });
        sent.once("error", () => answer(0));
        sent.end(payload);
      });
    },
    close: () => agent.destroy(),
  };
}

/**
 * Sends calls at the moments at which they are due, whether or not earlier ones have been answered, and waits for all
 * answers. `schedule` gives them in order, with seconds from the start.
 */
export async function openLoop(
  caller: Caller,
  schedule: Iterable<{ at: number; name: string; call: Call }>,
  each: (answered: Answered) => void,
): Promise<void> {
  const began = performance.now() + 100;
  const open = new Set<Promise<void>>();
  for (const { at, name, call } of schedule) {
    const due = began + at * 1000;
    const early = due - performance.now();
    if (early > 1) await delay(early);
    const answered = caller.send(name, call, due).then((answer) => {
      each(answer);
      open.delete(answered);
    });
    open.add(answered);
  }
  await Promise.all(open);
}

/** Numbers between 0 and 1, the same in every run (mulberry32). */
export function repeatableRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import { setTimeout as delay } from "node:timers/promises";
import { nanoid } from "nanoid";
import { type Clock, systemClock } from "#lib/kernel/clock.ts";
import { log } from "#lib/kernel/log.ts";
import { onPositions } from "../tail.ts";
import { deliverRound, type Means, SLOW_MS } from "./delivery-round.ts";
import { abandon, claim, isAnyDue, type Lane, wake } from "./queue.ts";
import { type Send, sender } from "./send.ts";

/** Rows that have something to deliver. All processes share them; each is held by one at a time. */
export type DeliveryQueue<Held> = {
  /** Whether anything may be claimed. Asked every second. */
  isAnyDue(now: Date): Promise<boolean>;
  claim(holder: string, now: Date, lane: Lane, most: number): Promise<Held[]>;
  /** Delivers what is next for a row that this process has claimed, and gives the row up. */
  deliver(held: Held, means: Means): Promise<void>;
  /** Marks rows that have something to deliver although nothing announced it. */
  wake?(): Promise<unknown>;
  /** Gives up everything that this process holds. */
  abandon(holder: string): Promise<unknown>;
};

/**
 * How many receivers this process serves at the same time. Those that failed the last time have places of their own, and so have
 * those that were slow, so neither delays others. A receiver that turns out to be slow gives up its prompt place after a second, even
 * if no slow place is free. Its round ends at most 10 seconds later, so there are never more than about 32 × 3 + 32 × 10 connections.
 */
const PLACES: Record<Lane, number> = { prompt: 32, slow: 32, failing: 32 };
const LANES: readonly Lane[] = ["prompt", "slow", "failing"];

/** How often to look for webhooks that have become due without a new event: after a wait, a restore or a holder's death. */
const LOOK_MS = 1_000;
/** How often to look for those that should have been told of an event, and were not. */
const WAKE_MS = 60_000;
/** At the end, what is being sent has this long to arrive. */
const GRACE_MS = 3_000;

type Options = { clock?: Clock; send?: Send; random?: () => number };

const WEBHOOKS = { isAnyDue, claim, deliver: deliverRound, wake, abandon };

export type Dispatcher = {
  /** Looks for work now. */
  look(): Promise<void>;
  /** Resolves once nothing is being delivered and nothing is due. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

/** Delivers webhooks in this process. Any number of processes may do so; each webhook is served by one of them at a time. */
export function startDispatcher(options: Options = {}): Dispatcher {
  return dispatch(WEBHOOKS, options);
}

/** Delivers what a queue has to deliver in this process. */
export function dispatch<Held>(
  queue: DeliveryQueue<Held>,
  { clock = systemClock, send, random = Math.random }: Options = {},
): Dispatcher {
  const holder = nanoid();
  const stopping = new AbortController();
  const running = new Map<Held, Promise<void>>();
  const places: Record<Lane, number> = { prompt: 0, slow: 0, failing: 0 };
  let looking: Promise<void> | undefined;
  let again = false;
  let claimed = 0;
  let ended = false;

  const onFailure = (what: string) => (error: unknown) =>
    void (
      stopping.signal.aborted || log().error({ err: error instanceof Error ? error.message : String(error) }, what)
    );

  async function claimAll(): Promise<void> {
    if (!(await queue.isAnyDue(clock.now()))) return;
    for (const lane of LANES) {
      const free = PLACES[lane] - places[lane];
      if (free <= 0 || ended) continue;
      const rows = await queue.claim(holder, clock.now(), lane, free);
      claimed += rows.length;
      for (const held of rows) serve(held, lane);
    }
  }

  function serve(held: Held, lane: Lane): void {
    let place = lane;
    places[place] += 1;
    const watch = setTimeout(() => {
      if (place !== "prompt") return;
      places[place] -= 1;
      place = "slow";
      places[place] += 1;
      void look();
    }, SLOW_MS);
    const round = queue
      .deliver(held, { holder, clock, send: send ?? sender(), random, signal: stopping.signal })
      .catch(onFailure("a round of deliveries failed"))
      .finally(() => {
        clearTimeout(watch);
        places[place] -= 1;
        running.delete(held);
        void look();
      });
    running.set(held, round);
  }

  function look(): Promise<void> {
    if (ended) return Promise.resolve();
    again = true;
    looking ??= (async () => {
      while (again && !ended) {
        again = false;
        await claimAll().catch(onFailure("what is due could not be read"));
      }
    })().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const unsubscribe = onPositions(() => void look());
  let rousing = Promise.resolve();
  const rouse = () => {
    rousing = Promise.resolve(queue.wake?.()).then(look).catch(onFailure("what was forgotten could not be read"));
  };
  const looks = setInterval(look, LOOK_MS);
  const wakes = setInterval(rouse, WAKE_MS);
  for (const timer of [looks, wakes]) timer.unref();
  rouse();

  return {
    look,
    async idle() {
      for (;;) {
        // A round that is already running may have looked before the latest work was there.
        const [before, wasIdle] = [claimed, running.size === 0];
        await look();
        await Promise.all(running.values());
        if (wasIdle && claimed === before && running.size === 0) return;
      }
    },
    async stop() {
      ended = true;
      unsubscribe();
      clearInterval(looks);
      clearInterval(wakes);
      await rousing;
      await looking;
      await Promise.race([Promise.all(running.values()), delay(GRACE_MS, undefined, { ref: false })]);
      stopping.abort();
      await Promise.all(running.values());
      await queue.abandon(holder).catch(() => undefined);
    },
  };
}

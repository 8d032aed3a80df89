import { setTimeout as delay } from "node:timers/promises";
import { nanoid } from "nanoid";
import { type Clock, systemClock } from "#lib/kernel/clock.ts";
import { log } from "#lib/kernel/log.ts";
import { oneAtATime } from "#lib/kernel/one-at-a-time.ts";
import { onPositions } from "../tail.ts";
import type { Lane } from "./receiver-rows.ts";
import { deliverRound, type Held, type Receivers, SLOW_MS } from "./round.ts";
import { sender } from "./send.ts";

/**
 * How many receivers this process serves at the same time. Those that failed the last time have places of their own, and so have
 * those that were slow, so neither delays others. A receiver that turns out to be slow gives up its prompt place after a second, even
 * if no slow place is free. Its round ends at most 10 seconds later, so there are never more than about 32 × 3 + 32 × 10 connections.
 */
const PLACES: Record<Lane, number> = { prompt: 32, slow: 32, failing: 32 };
const LANES: readonly Lane[] = ["prompt", "slow", "failing"];

/** How often to look for receivers that have become due without a new event: after a wait, a restore or a holder's death. */
const LOOK_MS = 1_000;
/** How often to look for those that should have been told of an event, and were not. */
const WAKE_MS = 60_000;
/** At the end, what is being sent has this long to arrive. */
const GRACE_MS = 3_000;

export type Options = { clock?: Clock; random?: () => number };

export type Dispatcher = {
  /** Resolves once nothing is being delivered and nothing is due. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

/** Delivers in this process what waits for receivers of a kind. Any number of processes may do so; each receiver is served by one of them at a time. */
export function dispatch<Row extends Held>(
  kind: Receivers<Row>,
  { clock = systemClock, random = Math.random }: Options = {},
): Dispatcher {
  const { rows } = kind;
  const holder = nanoid();
  const stopping = new AbortController();
  const running = new Map<Row, Promise<void>>();
  const places: Record<Lane, number> = { prompt: 0, slow: 0, failing: 0 };
  let claimed = 0;
  let ended = false;

  const onFailure = (what: string) => (error: unknown) =>
    void (
      stopping.signal.aborted || log().error({ err: error instanceof Error ? error.message : String(error) }, what)
    );

  async function claimAll(): Promise<void> {
    if (ended || !(await rows.isAnyDue(clock.now()))) return;
    for (const lane of LANES) {
      const free = PLACES[lane] - places[lane];
      if (free <= 0 || ended) continue;
      const taken = await rows.claim(holder, clock.now(), lane, free);
      claimed += taken.length;
      for (const row of taken) serve(row, lane);
    }
  }

  function serve(row: Row, lane: Lane): void {
    let place = lane;
    places[place] += 1;
    const watch = setTimeout(() => {
      if (place !== "prompt") return;
      places[place] -= 1;
      place = "slow";
      places[place] += 1;
      void look();
    }, SLOW_MS);
    const means = { holder, clock, send: sender(), random, signal: stopping.signal };
    const round = deliverRound(kind, row, means)
      .catch(onFailure("a round of deliveries failed"))
      .finally(() => {
        clearTimeout(watch);
        places[place] -= 1;
        running.delete(row);
        void look();
      });
    running.set(row, round);
  }

  const look = oneAtATime(() => claimAll().catch(onFailure("what is due could not be read")));
  const unsubscribe = onPositions(() => void look());
  let rousing = Promise.resolve();
  const rouse = () => {
    rousing = Promise.resolve(kind.wake?.()).then(look).catch(onFailure("what was forgotten could not be read"));
  };
  const looks = setInterval(look, LOOK_MS);
  const wakes = setInterval(rouse, WAKE_MS);
  for (const timer of [looks, wakes]) timer.unref();
  rouse();

  return {
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
      await look();
      await Promise.race([Promise.all(running.values()), delay(GRACE_MS, undefined, { ref: false })]);
      stopping.abort();
      await Promise.all(running.values());
      await rows.abandon(holder).catch(() => undefined);
    },
  };
}

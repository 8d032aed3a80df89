import assert from "node:assert/strict";
import { isThin } from "#stripe-stand-in/events.ts";
import { Chance } from "#stripe-stand-in/random.ts";
import type { StandInEvent } from "#stripe-stand-in/world.ts";
import { deliver, type Live, work } from "#testing/live.ts";

/** Does all background work that is due, several jobs at a time. */
export const workAll = () => work(4);

/** Runs `act` for all, eight at a time. */
export async function forAll<T>(things: readonly T[], act: (thing: T) => Promise<unknown>): Promise<void> {
  const rest = things[Symbol.iterator]();
  const lane = async () => {
    for (const thing of rest) await act(thing);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** Stripe's events that this service has no ear for; everything else comes. */
const UNHEARD = new Set(["payment_intent.created", "refund.created", "charge.dispute.funds_withdrawn"]);

const NEVER = 0.1;
const LATE = 0.15;
const MOST_COPIES = 5;

/** What Stripe's deliveries do to the events of one run: which come late, twice, in another order, or not at all. */
export class Post {
  readonly #live: Live;
  readonly #runOf: (event: StandInEvent) => string | undefined;
  readonly #chances = new Map<string, Chance>();
  readonly #lost = new Set<string>();
  #later: StandInEvent[] = [];
  #seen = 0;
  /** How long each delivery so far waited for its acknowledgement, in milliseconds. */
  readonly waitsMs: number[] = [];

  /** @param runOf the run that an event belongs to */
  constructor(live: Live, runOf: (event: StandInEvent) => string | undefined) {
    this.#live = live;
    this.#runOf = runOf;
    this.#seen = live.stripe.events.length;
  }

  /** Whether every event of this run so far has come. */
  isWhole(run: string): boolean {
    return !this.#lost.has(run);
  }

  /**
   * Delivers what has happened since, in any order, with repetitions, and does the work. `last` keeps nothing back.
   * @returns the runs some of whose events have not arrived in time
   */
  async round(seedOf: (run: string) => string, last = false): Promise<Set<string>> {
    await workAll();
    const behind = new Set<string>();
    let now = this.#later;
    this.#later = [];
    const fresh = this.#live.stripe.events.slice(this.#seen);
    this.#seen = this.#live.stripe.events.length;
    for (const event of fresh) {
      const run = UNHEARD.has(event.type) ? undefined : this.#runOf(event);
      if (run === undefined) continue;
      const chance = this.#chanceOf(run, seedOf);
      const fate = chance.next();
      const copies = Array<StandInEvent>(chance.between(1, MOST_COPIES)).fill(event);
      if (fate < NEVER) this.#lost.add(run);
      if (fate < NEVER + LATE) behind.add(run);
      if (fate < NEVER) continue;
      if (fate < NEVER + LATE && !last) this.#later.push(...copies);
      else {
        const soon = last ? copies.length : chance.between(1, copies.length);
        now.push(...copies.slice(0, soon));
        this.#later.push(...copies.slice(soon));
      }
    }
    now = new Chance(`order:${this.#seen}`).shuffled(now);
    await forAll(now, async (event) => {
      const since = performance.now();
      const status = await deliver(this.#live, event);
      this.waitsMs.push(performance.now() - since);
      assert.equal(status, 200, `${event.type} was answered ${status}`);
    });
    await workAll();
    return behind;
  }

  #chanceOf(run: string, seedOf: (run: string) => string): Chance {
    let chance = this.#chances.get(run);
    if (!chance) {
      chance = new Chance(seedOf(run));
      this.#chances.set(run, chance);
    }
    return chance;
  }
}

/** The settlement or account that an event is about. */
export function subjectOf(live: Live, event: StandInEvent): string | undefined {
  if (isThin(event)) return event.related_object.id;
  if (event.account) return event.account;
  const object = event.data.object as { metadata?: Record<string, string>; payment_intent?: string | null };
  const named = object.metadata?.guildhall_settlement;
  if (named) return named;
  const intent = live.stripe.world.intents.get(object.payment_intent ?? "");
  return intent?.metadata.guildhall_settlement;
}

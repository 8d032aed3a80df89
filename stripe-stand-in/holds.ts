import { matchesCall } from "./faults.ts";

type When = "before" | "after";
type Hold = { call: string; when: When; opened: Promise<void>; reach: () => void };

/** Holds calls back, before or after they take effect. */
export class Holds {
  readonly #holds: Hold[] = [];

  /** Holds calls like `POST /v1/transfers` back until `release` is called; `reached` resolves when the first one is held. */
  pause(call: string, when: When): { reached: Promise<void>; release: () => void } {
    const opening = Promise.withResolvers<void>();
    const reaching = Promise.withResolvers<void>();
    const hold: Hold = { call, when, opened: opening.promise, reach: reaching.resolve };
    this.#holds.push(hold);
    const release = () => {
      this.#holds.splice(this.#holds.indexOf(hold), 1);
      opening.resolve();
    };
    return { reached: reaching.promise, release };
  }

  async wait(when: When, method: string, path: string): Promise<void> {
    for (const hold of [...this.#holds])
      if (hold.when === when && matchesCall(hold.call, method, path)) {
        hold.reach();
        await hold.opened;
      }
  }
}

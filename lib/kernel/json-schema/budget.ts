/** The steps that an evaluation may still take. They are counted, not timed, so the same evaluation ends alike on every machine. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @throws Exhausted */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Exhausted();
  }
}

export class Exhausted extends Error {}

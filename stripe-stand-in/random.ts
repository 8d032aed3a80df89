import { createHash } from "node:crypto";

/** Random choices that can be repeated: the same seed gives the same ones. */
export class Chance {
  #state: number;
  readonly #seed: string;
  #made = 0;

  constructor(seed: number | string) {
    this.#seed = String(seed);
    this.#state = createHash("sha256").update(this.#seed).digest().readUInt32LE(0);
  }

  /** A number of at least 0 and below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number of at least `from` and at most `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** The same items in random order. */
  shuffled<T>(things: readonly T[]): T[] {
    const order = things.map((thing) => ({ thing, at: this.next() }));
    return order.sort((one, other) => one.at - other.at).map(({ thing }) => thing);
  }

  /** A new ID in Stripe's form. IDs do not depend on how many random choices were made. */
  id(prefix: string): string {
    this.#made += 1;
    const digest = createHash("sha256").update(`${this.#seed}:${prefix}:${this.#made}`).digest("base64url");
    return `${prefix}_${digest.replace(/[-_]/g, "").slice(0, 24)}`;
  }
}

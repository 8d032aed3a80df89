import type { Chance } from "./random.ts";

export type FaultKind = "401" | "403" | "429" | "409" | "500" | "timeout" | "reset" | "truncated";

export type Fault = {
  kind: FaultKind;
  /** `POST /v1/transfers`; `*` matches anything. */
  call: string;
  /** Whether the call takes effect before it fails, not at all, or only when `landLate` is called. */
  when: "before" | "after" | "late";
  /** How many calls fail; unlimited if only a probability is given. The client retries once after a reset. */
  times?: number;
  /** From 0 to 1. */
  probability?: number;
};

/** Chooses which calls fail. */
export class Faults {
  readonly #chance: Chance;
  #rules: Fault[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  add(fault: Fault): void {
    const times = fault.times ?? (fault.probability === undefined ? 1 : Number.POSITIVE_INFINITY);
    this.#rules.push({ ...fault, times });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault to apply to this call, if any. */
  choose(method: string, path: string): Fault | undefined {
    for (const rule of this.#rules) {
      const left = rule.times ?? 0;
      if (left < 1 || !matchesCall(rule.call, method, path)) continue;
      if (rule.probability !== undefined && this.#chance.next() >= rule.probability) continue;
      rule.times = left - 1;
      return rule;
    }
    return undefined;
  }
}

/** Whether a call matches a pattern like `POST /v1/*`. */
export function matchesCall(pattern: string, method: string, path: string): boolean {
  const source = pattern
    .split("*")
    .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`).test(`${method} ${path}`);
}

export type FaultKind = "401" | "403" | "429" | "409" | "500" | "timeout" | "reset" | "truncated";

export type Fault = {
  kind: FaultKind;
  /** `POST /v1/transfers`; `*` matches anything. */
  call: string;
  /** Whether the call takes effect before it fails, not at all, or only when `landLate` is called. */
  when: "before" | "after" | "late";
  /** How many calls fail; by default one. The client retries once after a reset. */
  times?: number;
};

/** Chooses which calls fail. */
export class Faults {
  #rules: Required<Fault>[] = [];

  add({ times = 1, ...fault }: Fault): void {
    this.#rules.push({ ...fault, times });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault to apply to this call, if any. */
  choose(method: string, path: string): Fault | undefined {
    const rule = this.#rules.find(({ times, call }) => times > 0 && matchesCall(call, method, path));
    if (rule) rule.times -= 1;
    return rule;
  }
}

/** Whether a call matches a pattern like `POST /v1/*`. */
function matchesCall(pattern: string, method: string, path: string): boolean {
  const source = pattern
    .split("*")
    .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`).test(`${method} ${path}`);
}

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

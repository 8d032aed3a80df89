import { Refusal } from "./refusal.ts";

export type Answer = { status: number; body: object };

type Entry = { fingerprint: string; atSeconds: number; keepSeconds: number; answer: Answer | undefined };

const DAY = 86_400;

/**
 * Idempotency keys as Stripe keeps them: version 1 for 24 hours, replaying whatever was answered, a 500 too; version 2 for 30 days,
 * trying again what has failed.
 */
export class Keys {
  readonly #entries = new Map<string, Entry>();

  /**
   * The answer to replay, or none: then the key is taken, until `settle` or `release`.
   * @throws Refusal idempotency_error for another request under the key (400, in version 2 409)
   */
  take(key: string, fingerprint: string, version: 1 | 2, atSeconds: number): Answer | undefined {
    const known = this.#entries.get(key);
    if (known && atSeconds - known.atSeconds < known.keepSeconds) {
      if (known.fingerprint !== fingerprint)
        throw new Refusal(version === 1 ? 400 : 409, {
          type: "idempotency_error",
          ...(version === 2 ? { code: "idempotency_error" } : {}),
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        });
      if (known.answer && (version === 1 || known.answer.status < 400)) return known.answer;
    }
    this.#entries.set(key, { fingerprint, atSeconds, keepSeconds: version === 1 ? DAY : 30 * DAY, answer: undefined });
    return undefined;
  }

  settle(key: string, answer: Answer): void {
    const known = this.#entries.get(key);
    if (known) known.answer = answer;
  }

  /** Forgets a key whose request never began. */
  release(key: string): void {
    this.#entries.delete(key);
  }
}

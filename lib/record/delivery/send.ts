import { createGuardedClient, type GuardOptions } from "#lib/identity/domain/guarded-client.ts";
import { ProbeFailed } from "#lib/identity/domain/probe-failure.ts";
import { guardOptions } from "#lib/identity/domain/probing.ts";
import type { Outcome } from "../webhooks/schema.ts";
import { type Answered, post } from "./post.ts";

/** What came of one attempt. */
export type Attempt = {
  outcome: Outcome;
  /** The HTTP status; null without an answer. */
  status: number | null;
  ms: number;
  /** Why it failed, in a sentence that holds nothing that the receiver sent; null if it did not. */
  error: string | null;
  retryAfterSeconds: number | null;
  /** The beginning of the answer's body, if it was asked for. */
  text: string | null;
};

export type Delivery = {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Whether to keep the beginning of the answer's body. */
  keepText?: boolean;
  signal?: AbortSignal;
};

/** POSTs once. Every failure of the receiver is a result; rejects only with the reason of `signal`. */
export type Send = (delivery: Delivery) => Promise<Attempt>;

const DEADLINE_MS = 10_000;

/**
 * Sends through the guards of the domain check, at every attempt: the name is resolved again, private addresses are refused, the
 * connection goes to the address that was checked, and no redirect is followed.
 */
export function createSend(options: GuardOptions & { deadlineMs?: number }): Send {
  const { deadlineMs = DEADLINE_MS } = options;
  const visit = createGuardedClient(options);
  return async ({ url, signal, ...message }) => {
    const began = performance.now();
    const result = (rest: Omit<Attempt, "ms">): Attempt => ({ ...rest, ms: Math.round(performance.now() - began) });
    try {
      const answered = await visit({ url, urlName: "webhook's URL", deadlineMs, signal }, (tls, place) =>
        post(tls, { ...message, ...place, url }),
      );
      return result({ ...judge(answered, new URL(url).hostname), ...answered });
    } catch (error) {
      if (!(error instanceof ProbeFailed)) throw error;
      const { outcome, sentence } = failureOf(error, new URL(url).hostname, deadlineMs);
      return result({ outcome, status: null, error: sentence, retryAfterSeconds: null, text: null });
    }
  };
}

/** Only 2xx counts as delivered. */
function judge({ status }: Answered, host: string): { outcome: Outcome; error: string | null } {
  if (status >= 200 && status <= 299) return { outcome: "delivered", error: null };
  if (status === 410) return { outcome: "gone", error: `${host} answered with status 410: it wants no more events.` };
  if (status >= 300 && status <= 399) {
    return {
      outcome: "redirect",
      error: `${host} answered with a redirect (${status}), which webhooks do not follow: set the final URL.`,
    };
  }
  return { outcome: "status", error: `${host} answered with status ${status}: only 2xx counts as delivered.` };
}

const OUTCOMES_OF: Partial<Record<ProbeFailed["reason"], Outcome>> = {
  dns: "dns",
  refused_address: "refused_address",
  unreachable: "unreachable",
  tls: "tls",
  timeout: "timeout",
};

function failureOf({ reason, detail }: ProbeFailed, host: string, deadlineMs: number) {
  const outcome = OUTCOMES_OF[reason] ?? "invalid_answer";
  const sentence =
    outcome === "timeout"
      ? `${host} did not answer within ${deadlineMs / 1000} seconds: answer first, work later.`
      : detail;
  return { outcome, sentence };
}

const shared = globalThis as { guildhallSend?: Send };

/** How this process sends webhooks. */
export function sender(): Send {
  shared.guildhallSend ??= createSend(guardOptions());
  return shared.guildhallSend;
}

/** Puts another way to send in its place; without one, the real one comes back. */
export function replaceSender(double?: Send): void {
  shared.guildhallSend = double;
}

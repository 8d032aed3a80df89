import { timingSafeEqual } from "node:crypto";
import { createGuardedClient, type GuardOptions } from "./guarded-client.ts";
import { type Fetched, fetchBody } from "./probe-exchange.ts";
import { ProbeFailed, type ProbeFailure } from "./probe-failure.ts";

export type { ProbeFailure } from "./probe-failure.ts";
export { type Resolve, systemResolve } from "./resolve-host.ts";

/** `detail` tells the operator in one sentence what to fix. It holds no address, and nothing that the server sent. */
export type ProbeResult = { ok: true } | { ok: false; reason: ProbeFailure; detail: string };

type Failed = Exclude<ProbeResult, { ok: true }>;
type ReadResult = ({ ok: true } & Fetched) | Failed;

/** What is asked of the other side. */
type Wanted = { url: string; urlName: string; maxBytes: number; accept: string; signal: AbortSignal | undefined };

export interface Prober {
  /**
   * Fetches `url` (https, port 443) once and compares its body, white space around it aside, with `expectedBody`.
   * Every failure of the other side is a result; rejects only with the reason of `signal`, or on an empty `expectedBody`.
   */
  probe(input: { url: string; expectedBody: string; signal?: AbortSignal }): Promise<ProbeResult>;
  /** Fetches `url` in the same way and gives its body, which may be at most `maxBytes` long. */
  read(input: { url: string; maxBytes: number; accept: string; signal?: AbortSignal }): Promise<ReadResult>;
}

export interface ProberOptions extends GuardOptions {
  /** For the whole probe, name resolution included. */
  deadlineMs?: number | undefined;
  /** The longest body that is read. */
  maxBytes?: number;
}

/** A check takes at most 10 s, including its record and answer, for which half a second is reserved. */
const DEADLINE_MS = 9_500;

/** Looks for proofs through a guarded client. It follows no redirect, and reads little and not for long. */
export function createProber(options: ProberOptions): Prober {
  const { deadlineMs = DEADLINE_MS, maxBytes = 4_096 } = options;
  const visit = createGuardedClient(options);

  /** @throws ProbeFailed */
  const fetchText = ({ url, urlName, signal: callerSignal, ...what }: Wanted) =>
    visit({ url, urlName, deadlineMs, signal: callerSignal }, (tls, { host, signal }) =>
      fetchBody(tls, { url, host, ...what, signal }),
    );

  return {
    async probe({ url, expectedBody, signal }) {
      if (expectedBody.trim() === "") throw new TypeError("expectedBody must not be empty");
      return withFailures(async () => {
        const { body } = await fetchText({ url, urlName: "verification URL", maxBytes, accept: "text/plain", signal });
        checkBody(body, expectedBody, url);
        return { ok: true };
      });
    },
    read: ({ signal, ...what }) =>
      withFailures(async () => ({ ok: true, ...(await fetchText({ ...what, urlName: "URL", signal })) })),
  };
}

/** What the other side did wrong as a result. */
async function withFailures<Result extends { ok: true }>(work: () => Promise<Result>): Promise<Result | Failed> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProbeFailed) return { ok: false, reason: error.reason, detail: error.detail };
    throw error;
  }
}

function checkBody(body: Buffer, expectedBody: string, url: string): void {
  // Latin-1 keeps every byte. A UTF-8 decoder would drop a byte order mark and replace invalid characters.
  const found = Buffer.from(body.toString("latin1").trim(), "latin1");
  const expected = Buffer.from(expectedBody.trim());
  if (found.length === expected.length && timingSafeEqual(found, expected)) return;
  const remedy = found.subarray(0, 3).equals(Buffer.from("\ufeff"))
    ? "begins with a byte order mark: save the file as plain text without one"
    : "does not hold the verification token: serve exactly that text";
  throw new ProbeFailed("mismatch", `The file at ${url} ${remedy}.`);
}

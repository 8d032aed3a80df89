import { pause } from "#lib/db/session.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { log } from "#lib/kernel/log.ts";
import { onPositions } from "../tail.ts";
import { beginLog, enterStatements } from "./enter.ts";
import { addCosignatures, type Signed, signWhenDue } from "./sign.ts";
import { SigningRefused } from "./signing-setup.ts";
import { askWitnesses } from "./witnesses.ts";

/** At most one checkpoint in this time, by all processes together. */
const PERIOD_MS = 2_000;
/** How often to try again after a refusal or failure, and to look for statements whose notice was lost. */
const RETRY_MS = 5_000;

/**
 * Starts this process's part in signing: soon after new statements were given their places, whichever process comes first signs them.
 * @returns what stops it, after a running attempt has ended
 */
export async function startSigning(): Promise<{ stop(): Promise<void> }> {
  await beginLog();
  const stopping = new AbortController();
  const waker = new Waker();
  const unsubscribe = onPositions(() => waker.wake());
  const report = reporter();
  const cosigning = new Cosigning<Signed>(
    (signed) => askWitnesses(signed, (line) => addCosignatures(signed, line)),
    (error) => log().error({ err: error instanceof Error ? error.message : String(error) }, "asking witnesses failed"),
  );
  const attempt = async () => {
    try {
      // Usually the sequencer's process has not entered the newest statements yet. If it cannot, it reports why.
      await enterStatements().catch(() => false);
      const signed = await signWhenDue(systemClock.now(), PERIOD_MS);
      // Another process has just signed: what came since then is due as soon as the period is over.
      if (signed === "early") waker.wake();
      else if (signed) cosigning.about(signed);
      report();
    } catch (error) {
      report(error);
    }
  };
  await attempt();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await pause(PERIOD_MS, stopping.signal);
      await waker.wait(RETRY_MS - PERIOD_MS, stopping.signal);
      if (!stopping.signal.aborted) await attempt();
    }
  })();
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      await done;
      await cosigning.stop();
    },
  };
}

/** Logs a failure once, not at every attempt. */
function reporter(): (error?: unknown) => void {
  let last = "";
  return (error) => {
    const message = error === undefined ? "" : error instanceof Error ? error.message : String(error);
    if (message !== "" && message !== last)
      log()[error instanceof SigningRefused && error.isUnset ? "info" : "error"](
        { err: message },
        error instanceof SigningRefused ? "the log is not signed" : "signing the log failed",
      );
    last = message;
  };
}

/** Remembers a call that comes while nobody waits. */
class Waker {
  #isDue = false;
  #wake: (() => void) | undefined;

  wake(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isDue) {
      const waking = new AbortController();
      this.#wake = () => waking.abort();
      await pause(ms, AbortSignal.any([signal, waking.signal]));
    }
    this.#isDue = false;
  }
}

/**
 * Asks witnesses in the background about one checkpoint at a time. Signing never waits for that. Of the checkpoints that are signed
 * meanwhile, only the newest is asked about next: nobody reads the others.
 */
export class Cosigning<Checkpoint> {
  readonly #ask: (checkpoint: Checkpoint) => Promise<unknown>;
  readonly #report: (error: unknown) => void;
  #next: Checkpoint | undefined;
  #running: Promise<void> | undefined;

  constructor(ask: (checkpoint: Checkpoint) => Promise<unknown>, report: (error: unknown) => void) {
    this.#ask = ask;
    this.#report = report;
  }

  about(checkpoint: Checkpoint): void {
    this.#next = checkpoint;
    this.#running ??= this.#run();
  }

  /** Waits until the present question is answered or given up. */
  async stop(): Promise<void> {
    this.#next = undefined;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#next !== undefined) {
      const checkpoint = this.#next;
      this.#next = undefined;
      await this.#ask(checkpoint).catch(this.#report);
    }
    this.#running = undefined;
  }
}

import { pause } from "#lib/db/session.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { log } from "#lib/kernel/log.ts";
import { onceEach } from "#lib/kernel/once-each.ts";
import { newestOnly, oneAtATime } from "#lib/kernel/one-at-a-time.ts";
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
  const report = onceEach((message, error) =>
    log()[error instanceof SigningRefused && error.isUnset ? "info" : "error"](
      { err: message },
      error instanceof SigningRefused ? "the log is not signed" : "signing the log failed",
    ),
  );
  // Signing never waits for witnesses. Of the checkpoints that are signed meanwhile, only the newest is asked about next: nobody reads the others.
  const cosigning = newestOnly<Signed>(
    async (signed) => void (await askWitnesses(signed, (line) => addCosignatures(signed, line))),
    (error) => log().error({ err: error instanceof Error ? error.message : String(error) }, "asking witnesses failed"),
  );
  async function attempt(): Promise<void> {
    try {
      // Usually the sequencer's process has not entered the newest statements yet. If it cannot, it reports why.
      await enterStatements().catch(() => false);
      const signed = await signWhenDue(systemClock.now(), PERIOD_MS);
      // Another process has just signed: what came since then is due as soon as the period is over.
      if (signed === "early") void sign();
      else if (signed) cosigning.add(signed);
      report();
    } catch (error) {
      report(error);
    }
  }
  const sign = oneAtATime(async () => {
    if (stopping.signal.aborted) return;
    await attempt();
    await pause(PERIOD_MS, stopping.signal);
  });
  const unsubscribe = onPositions(() => void sign());
  await attempt();
  const looks = setInterval(sign, RETRY_MS).unref();
  return {
    async stop() {
      unsubscribe();
      clearInterval(looks);
      stopping.abort();
      await sign();
      await cosigning.stop();
    },
  };
}

import { pause } from "#lib/db/session.ts";
import { log } from "#lib/kernel/log.ts";
import { oneAtATime } from "#lib/kernel/one-at-a-time.ts";
import { query } from "./connection.ts";
import { enterStatements } from "./enter.ts";

/**
 * How long statements gather before they are entered together, and how long to wait after a failure. What each time costs hardly depends on how many
 * there are, and nothing waits for it: signing first enters what is still missing.
 */
const GATHER_MS = 1_000;
const RETRY_MS = 2_000;

/**
 * Enters statements into the log whenever there are new positions. It works on connections of its own: if it fails or has to wait,
 * the feed of events goes on without it.
 * @returns `wake`, to be called when there are new positions, and what stops it
 */
export function keepEntering(): { wake(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const enter = oneAtATime(async () => {
    let failure = "";
    for (;;) {
      await pause(failure ? RETRY_MS : GATHER_MS, signal);
      if (signal.aborted) return;
      try {
        while ((await enterStatements()) && !signal.aborted);
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== failure) await report(message);
        failure = message;
      }
    }
  });
  return {
    wake: () => void enter(),
    async stop() {
      stopping.abort();
      await enter();
    },
  };
}

/** For the operator: in the service's log, and for `/readyz` and `/admin` until statements are entered again. */
async function report(message: string): Promise<void> {
  log().error({ err: message }, "entries could not be added to the log");
  await query(
    "UPDATE log_trees SET stalled_at = now() WHERE id = (SELECT max(id) FROM log_trees) AND stalled_at IS NULL",
  ).catch((failure: Error) => log().error({ err: failure.message }, "that the log has stalled could not be recorded"));
}

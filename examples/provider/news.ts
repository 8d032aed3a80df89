import { setTimeout as delay } from "node:timers/promises";
import type { Guildhall, GuildhallEvent } from "#sdk/index.ts";
import type { LogEvent } from "./event-log.ts";
import { describe, isHopeless } from "./failure.ts";

const TYPES = ["task.*", "contract.*", "payment.*", "dispute.*"];
const RETRY_MS = 60_000;

/**
 * Calls back for each event about the provider's tasks, as a stream or by long poll. The provider polls as well, only less
 * promptly, so it works without this too: trouble here is logged and tried again.
 */
export async function followNews(
  client: Guildhall,
  onEvent: (event: GuildhallEvent) => void,
  logEvent: LogEvent,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of client.events({ types: TYPES }, { signal })) onEvent(event);
    } catch (error) {
      if (signal.aborted || isHopeless(error)) return;
      logEvent("trouble", { during: "events", ...describe(error) });
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

import { setTimeout as delay } from "node:timers/promises";

/** @throws the signal's reason if it is aborted */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

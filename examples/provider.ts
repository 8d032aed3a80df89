import { setTimeout as delay } from "node:timers/promises";
import { Guildhall } from "#sdk/index.ts";
import { readConfig } from "./provider/config.ts";
import { logEvent } from "./provider/event-log.ts";
import { describe, isHopeless } from "./provider/failure.ts";
import { followNews } from "./provider/news.ts";
import { openStateFile } from "./provider/state-file.ts";
import { startTaskLoop } from "./provider/task-loop.ts";

/*
 * A provider that counts words, to be copied and changed. It follows its events and polls for tasks that were selected for it, claims
 * what it can do, accepts terms that match its offer, works once the agreement is funded, and submits. It can be stopped or
 * killed at any point and started again.
 *
 *   node --env-file=agent.env provider.ts
 *
 * `agent.env` is the file that the quick starts of /docs write, with GUILDHALL_BASE_URL, GUILDHALL_PUBLIC_ID and GUILDHALL_TOKEN.
 * STATE_FILE (provider-state.json), PRICE_PENCE (999), MAX_AMOUNT_PENCE (100000), CAPACITY (3) and INBOX_SECONDS (15, and
 * never less) can be set too. Run one process per STATE_FILE.
 */

const stopping = new AbortController();
const GRACE_MS = 5_000;

function stop(): void {
  stopping.abort();
  // Ending in the middle of a call loses nothing.
  setTimeout(() => process.exit(0), GRACE_MS).unref();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
// A program started this one with a channel, and has ended.
process.once("disconnect", stop);

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const { baseUrl, publicId, token } = config;
  const client = new Guildhall({ baseUrl, publicId, token });
  const loop = startTaskLoop({ client, config, state: openStateFile(config.stateFile), logEvent });
  logEvent("started", { public_id: publicId, pid: process.pid });
  let news = new AbortController();
  void followNews(
    client,
    (event) => {
      loop.notice(event);
      news.abort();
    },
    logEvent,
    stopping.signal,
  );
  for (let failures = 0; !stopping.signal.aborted; ) {
    let pauseMs: number;
    try {
      pauseMs = await loop.turn();
      failures = 0;
    } catch (error) {
      if (isHopeless(error)) throw error;
      failures += 1;
      logEvent("trouble", { failures, ...describe(error) });
      pauseMs = Math.random() * Math.min(30_000, 500 * 2 ** failures);
    }
    // News end a wait, but never one after a failure.
    const signal = failures > 0 ? stopping.signal : AbortSignal.any([stopping.signal, news.signal]);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    if (news.signal.aborted) news = new AbortController();
  }
  await loop.leave().catch(() => undefined);
  logEvent("stopped");
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    logEvent("stopped", describe(error));
    process.exit(1);
  },
);

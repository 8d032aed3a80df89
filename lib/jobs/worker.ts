import { setTimeout as delay } from "node:timers/promises";
import { type Runner, run, type TaskList } from "graphile-worker";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { log } from "#lib/kernel/log.ts";
import { queueLogger } from "./queue.ts";
import { CRONTAB, JOBS } from "./tasks.ts";

export type Worker = {
  /** Takes no more jobs and waits for those that run. */
  stop(): Promise<void>;
};

const CONCURRENCY = 2;
const RESTART_SECONDS = 5;

/** Starts the background work of this process; any number of processes may share one database. */
export async function startWorker(): Promise<Worker> {
  const stopping = new AbortController();
  let runner = await startRunner();
  const watched = watch();
  return {
    async stop() {
      stopping.abort();
      // Refused when the runner has stopped by itself, which is all the same here.
      await runner.stop().catch(() => undefined);
      await watched;
    },
  };

  // The runner gives up after some failures in a row, such as a database that is away for half a minute.
  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const reason: unknown = await runner.promise.catch((error: unknown) => error);
      if (stopping.signal.aborted) return;
      log().warn(
        { err: reason instanceof Error ? reason.message : undefined },
        "background work stopped; starting it again",
      );
      await delay(RESTART_SECONDS * 1000, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      runner = await startRunner().catch(() => runner);
    }
  }
}

function startRunner(): Promise<Runner> {
  return run({
    pgPool: pool(),
    taskList: TASKS,
    crontab: CRONTAB,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    logger: queueLogger,
  });
}

const TASKS: TaskList = Object.fromEntries(
  Object.entries(JOBS).map(([name, job]) => [name, (payload: unknown) => job(context(), payload)]),
);

function context(): Context {
  return { actor: { kind: "system", id: "worker" }, clock: systemClock, requestId: newId("req") };
}

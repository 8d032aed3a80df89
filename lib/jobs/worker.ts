import { EventEmitter } from "node:events";
import { type Runner, run, type WorkerEvents } from "graphile-worker";
import { sessionPool } from "#lib/db/client.ts";
import { pause } from "#lib/db/session.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { log } from "#lib/kernel/log.ts";
import { countJob } from "#lib/kernel/metrics.ts";
import { crontab, type Job, taskList } from "./job.ts";
import { queueLogger } from "./queue.ts";

export type Worker = {
  /** Takes no more jobs, and waits for those that are running. */
  stop(): Promise<void>;
};

/** Reconciliation and alerts, which wait for others, have a queue each: one place is always left for the rest. */
const CONCURRENCY = 3;
/**
 * A runner that stops waits until the ends of its last jobs are recorded only if they may be recorded in batches. A job whose end is
 * not recorded stays locked for four hours, and then runs again.
 */
const RECORD_BEFORE_STOPPING = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };
const RESTART_SECONDS = 5;
const FAILURES_TO_RESTART = 10;

/** Starts the background work of this process; any number of processes may share one database. */
export async function startWorker(jobs: readonly Job[]): Promise<Worker> {
  const stopping = new AbortController();
  let runner = await startRunner(jobs);
  const watched = watch();
  return {
    async stop() {
      stopping.abort();
      await stop(runner);
      await watched;
    },
  };

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runner.promise.catch(() => undefined);
      if (stopping.signal.aborted) return;
      log().warn("background work has stopped and is being restarted");
      await pause(RESTART_SECONDS * 1000, stopping.signal);
      if (stopping.signal.aborted) return;
      runner = await startRunner(jobs).catch(() => runner);
    }
  }
}

async function startRunner(jobs: readonly Job[]): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter();
  const runner = await run({
    pgPool: sessionPool(),
    taskList: taskList(jobs, context),
    crontab: crontab(jobs),
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    logger: queueLogger,
    events,
    preset: { worker: RECORD_BEFORE_STOPPING },
  });
  events.on("job:success", ({ job }) => countJob(job.task_identifier, "success"));
  events.on("job:error", ({ job }) => countJob(job.task_identifier, "failure"));
  // A runner whose first query failed repeats that failure for ever, so it is replaced.
  let failures = 0;
  events.on("worker:getJob:error", () => {
    failures += 1;
    if (failures === FAILURES_TO_RESTART) void stop(runner);
  });
  events.on("worker:getJob:empty", () => {
    failures = 0;
  });
  return runner;
}

/** Stopping a runner that has already stopped fails, which does not matter here. */
function stop(runner: Runner): Promise<void> {
  return runner.stop().catch(() => undefined);
}

function context(): Context {
  return { actor: { kind: "system", id: "worker" }, clock: systemClock, requestId: newId("req") };
}

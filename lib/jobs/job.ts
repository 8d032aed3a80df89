import type { TaskList } from "graphile-worker";
import type { Context } from "#lib/kernel/context.ts";

/** A kind of background work. Each feature lists its own in `jobs.ts`; the queue itself knows none of them. */
export type Job = {
  /** The name under which it is enqueued. */
  name: string;
  /** Runs once per entry in the queue. A failure is retried with growing delays, so it must be safe to repeat. */
  run(ctx: Context, payload: unknown): Promise<unknown>;
  /** When it also runs by the clock: the five fields of a crontab line, in UTC. */
  schedule?: string;
  /** Lower comes first; default 0. */
  priority?: number;
  /** Jobs of the same queue run one at a time, so that they never take all places of a worker. */
  queue?: string;
};

/** The jobs in the form the job queue expects; each run gets its own context. */
export function taskList(jobs: readonly Job[], context: () => Context): TaskList {
  return Object.fromEntries(
    jobs.map(({ name, run }) => [name, async (payload: unknown) => void (await run(context(), payload))]),
  );
}

/** The schedules as a crontab: one run of each in the whole database at a time, and no missed runs made up for. */
export function crontab(jobs: readonly Job[]): string {
  return jobs
    .flatMap(({ name, schedule, priority, queue }) =>
      schedule
        ? [
            `${schedule} ${name} ?jobKey=${name}&max=3${priority ? `&priority=${priority}` : ""}${queue ? `&queue=${queue}` : ""}`,
          ]
        : [],
    )
    .join("\n");
}

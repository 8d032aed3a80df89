import type { TaskList } from "graphile-worker";
import type { Context } from "#lib/kernel/context.ts";
import { expireTasks } from "./expire-tasks.ts";
import { LIVE_JOBS } from "./live-payments.ts";
import { recheckDomain } from "./recheck-domain.ts";

export type Job = (ctx: Context, payload: unknown) => Promise<void>;

/** The background work, by the names under which it is enqueued. */
export const JOBS: Record<string, Job> = {
  "expire-tasks": expireTasks,
  "recheck-domain": recheckDomain,
  ...LIVE_JOBS,
};

/** The same for the job queue; each run gets a context of its own. */
export function taskList(context: () => Context): TaskList {
  return Object.fromEntries(
    Object.entries(JOBS).map(([name, job]) => [name, (payload: unknown) => job(context(), payload)]),
  );
}

/** What runs by the clock: one run in the database at a time, none made up for after a standstill. */
export const CRONTAB = [
  "* * * * * expire-tasks ?jobKey=expire-tasks&max=3",
  "* * * * * sweep-payments ?jobKey=sweep-payments&max=3",
  "*/10 * * * * reconcile-payments ?jobKey=reconcile-payments&max=3",
].join("\n");

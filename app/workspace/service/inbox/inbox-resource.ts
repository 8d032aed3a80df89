import type { z } from "zod";
import type { TasksAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { read } from "../connection/service-call.ts";
import { resourceOf, useResource } from "../connection/use-resource.ts";

export type TaskPage = z.output<typeof TasksAnswer>;

// The published limit is one refresh in 15 seconds; older pages do not count, and change little.
const FIRST = { everySeconds: 15, least: 15 };
const OLDER = { everySeconds: 60 };

const load = (cursor: string | undefined) => () => read<TaskPage>("jobs/inbox.php", { cursor });

export function useInbox(cursor: string | undefined) {
  return useResource<TaskPage>(`inbox:${cursor ?? ""}`, load(cursor), cursor ? OLDER : FIRST);
}

/** A task that has moved on is no longer in the inbox, which need not be asked about that. */
export function leaveInbox(task: TaskWire): void {
  if (task.state === "open") return;
  resourceOf<TaskPage>("inbox:", load(undefined), FIRST).give(
    (page) => page && { ...page, tasks: page.tasks.filter(({ task_id }) => task_id !== task.task_id) },
  );
}

import type { z } from "zod";
import type { TasksAnswer, TaskWire } from "#lib/tasks/schema.ts";
import { read } from "../connection/service-call.ts";
import { resourceOf, useResource } from "../connection/use-resource.ts";

export type TaskPage = z.output<typeof TasksAnswer>;

// The published limit is one refresh in 15 seconds. Older pages rarely change.
const FIRST = { everySeconds: 15, minSeconds: 15 };
const OLDER = { everySeconds: 60 };

const load = (cursor: string | undefined) => () => read<TaskPage>("jobs/inbox.php", { cursor });

export function useInbox(cursor: string | undefined) {
  return useResource<TaskPage>(`inbox:${cursor ?? ""}`, load(cursor), cursor ? OLDER : FIRST);
}

/** Removes a task that is no longer open from the inbox's first page, without a read. */
export function leaveInbox(task: TaskWire): void {
  if (task.state === "open") return;
  resourceOf<TaskPage>("inbox:", load(undefined), FIRST).update(
    (page) => page && { ...page, tasks: page.tasks.filter(({ task_id }) => task_id !== task.task_id) },
  );
}

import { notFound } from "next/navigation";
import { cache } from "react";
import { readWholeTask } from "#lib/admin/pages/tasks.ts";
import { TaskId } from "#lib/tasks/schema.ts";
import { requireAdministrator } from "../administrator.ts";

/** A task with everything around it, once for the head and the body of a page. */
export const loadTask = cache(async (taskId: string) => {
  const ctx = await requireAdministrator();
  const whole = TaskId.safeParse(taskId).success ? await readWholeTask(ctx, taskId) : undefined;
  return whole ?? notFound();
});

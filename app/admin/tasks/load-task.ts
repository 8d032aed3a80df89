import { notFound } from "next/navigation";
import { cache } from "react";
import { readWholeTask } from "#lib/admin/page-reads/tasks.ts";
import { TaskId } from "#lib/tasks/schema.ts";
import { requireAdministrator } from "../admin-page.tsx";

/** A task with its agreements, payments, disputes and history. Cached, because both the metadata and the page need it. */
export const loadTask = cache(async (taskId: string) => {
  const ctx = await requireAdministrator();
  const whole = TaskId.safeParse(taskId).success ? await readWholeTask(ctx, taskId) : undefined;
  return whole ?? notFound();
});

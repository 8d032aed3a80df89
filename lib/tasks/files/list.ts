import type { z } from "zod";
import { END } from "#lib/db/list.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { page } from "#lib/kernel/cursor.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { findTask } from "../row.ts";
import { mayRead } from "./download.ts";
import { fileView, listFiles } from "./rows.ts";
import type { FilesInput } from "./schema.ts";

/** The files of a task, newest first, for its parties. @throws ApiError not_found */
export async function readFiles(ctx: ServiceContext, input: z.output<typeof FilesInput>) {
  const task = await findTask(input.task_id, ctx.clock.now());
  if (!task || !mayRead(task, ctx.actor)) throw notFound();
  const rows = await listFiles(task.id, input.cursor ?? END, input.purpose ?? null, input.limit + 1);
  const { rows: shown, nextCursor } = page(rows, input);
  return { files: shown.map(fileView), next_cursor: nextCursor };
}

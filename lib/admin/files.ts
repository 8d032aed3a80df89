import { prisma } from "#lib/db/client.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { removeBytes } from "#lib/tasks/files/remove.ts";
import { findFile } from "#lib/tasks/files/rows.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

/**
 * Removes the bytes of a file, whatever the state of its task. Its name, size and hash stay, and so does everything that names it.
 * Repeating it changes nothing.
 * @throws ApiError not_found, forbidden (own_subject)
 */
export async function removeTaskFile(ctx: AdminContext, { fileId, reason }: { fileId: string; reason: string }) {
  const [file] = await findFile(fileId);
  if (!file) throw notFound();
  await requireOthers(prisma(), ctx, file.taskId);
  await removeBytes(ctx, file, { reason });
  return { file_id: fileId, task_id: file.taskId, sha256: file.sha256, state: "removed" as const };
}

import { audit } from "#lib/db/audit.ts";
import type { Connection } from "#lib/db/connection.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { stepTask } from "../change.ts";
import { effectiveState, type TaskState } from "../machine.ts";
import type { TaskRow } from "../row.ts";
import { dropUnneeded } from "./contents.ts";
import { visibleFile } from "./download.ts";
import { type FileRow, fileView, markRemoved } from "./rows.ts";

/** From the submission on, the other party relies on the files. */
const BEFORE_SUBMISSION: readonly TaskState[] = ["open", "claimed", "proposed", "accepted", "in_progress"];

/**
 * Removes the bytes of one's own file at once, until the result is submitted. Removing it again changes nothing.
 * @throws ApiError not_found, forbidden, state_conflict
 */
export async function removeFile(ctx: ServiceContext, { file_id: id }: { file_id: string }) {
  const file = await visibleFile(ctx, id);
  if (file.uploaderId !== ctx.actor.id)
    throw new ApiError("forbidden", "Only the party that uploaded a file can remove it.");
  return removeBytes(ctx, file, {
    check(task) {
      const state = effectiveState(task, ctx.clock.now());
      if (!BEFORE_SUBMISSION.includes(state))
        throw stateConflict(`This task is ${state}. Its files can be removed until the result is submitted.`);
    },
  });
}

/** Removes a file's bytes; what stands in the record about it stays. */
export async function removeBytes(
  ctx: Context,
  file: FileRow,
  { check, reason }: { check?: (task: TaskRow) => void; reason?: string },
) {
  const hashes = await stepTask(ctx, file.taskId, async (tx, task) => {
    if (!task) throw new Error(`the task of ${file.id} is missing`);
    check?.(task);
    return recordRemoval(tx, ctx, [file.id], reason);
  });
  await dropUnneeded(hashes);
  return { file: fileView({ ...file, state: "removed" }) };
}

/** @returns the hashes of those that were still there, for `dropUnneeded` after the commit */
export async function recordRemoval(
  tx: Connection,
  ctx: Context,
  fileIds: readonly string[],
  reason?: string,
): Promise<string[]> {
  const hashes: string[] = [];
  for (const id of fileIds) {
    const [removed] = await markRemoved.on(tx, [id], ctx.clock.now());
    if (!removed) continue;
    hashes.push(removed.sha256);
    await audit(tx, ctx, {
      action: "remove_file",
      subjectKind: "file",
      subjectId: id,
      ...(reason ? { reason } : {}),
      data: { sha256: removed.sha256 },
    });
  }
  return hashes;
}

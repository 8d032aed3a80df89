import type { Connection } from "#lib/db/connection.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { usedByUploader, usedInAll, usedOfTask } from "./rows.ts";
import { MAX_FILES } from "./schema.ts";

const MIB = 1024 * 1024;
/** Of one purpose of a task. */
const MAX_PURPOSE_BYTES = 100 * MIB;
/** Of one identity, over all its tasks. */
const MAX_IDENTITY_BYTES = 1024 * MIB;
/** Of one task, removed ones included: the row of each is kept for good. */
export const MAX_EVER = 200;

/**
 * Checks the quotas after the reservation was written. That has locked the row with the total, so reservations are checked one at a time.
 * @param file without a size, it is known not to be one that a submission names
 * @throws ApiError quota_exceeded, temporarily_unavailable
 */
export async function requireSpace(
  tx: Connection,
  { actor, clock }: ServiceContext,
  file: { taskId: string; purpose: "brief" | "result"; name: string; size?: number },
): Promise<void> {
  const [[ofTask], [own], [all]] = await Promise.all([
    usedOfTask.on(tx, clock.now(), file.taskId, file.purpose, file.name, file.size ?? -1),
    usedByUploader.on(tx, actor.id),
    usedInAll.on(tx),
  ]);
  const here = `files with the purpose ${file.purpose}`;
  if ((ofTask?.files ?? 0) > MAX_FILES) throw exceeded(`A task has at most ${MAX_FILES} ${here}.`);
  if (Number(ofTask?.bytes) > MAX_PURPOSE_BYTES)
    throw exceeded(`A task has at most ${MAX_PURPOSE_BYTES / MIB} MiB of ${here}.`);
  if ((ofTask?.ever ?? 0) > MAX_EVER)
    throw exceeded(`At most ${MAX_EVER} files can be uploaded for a task, including those that were removed.`, "");
  if (Number(own?.bytes) > MAX_IDENTITY_BYTES)
    throw exceeded(`An identity has at most ${MAX_IDENTITY_BYTES / MIB} MiB of files.`);
  if (Number(all?.bytes) > env().filesMaxBytes) throw noSpace();
}

export function noSpace(): ApiError {
  return new ApiError(
    "temporarily_unavailable",
    "This service has no space left for files. Its operator can see that; try again later.",
    { retryAfterSeconds: 600 },
  );
}

function exceeded(message: string, remedy = " Remove one that is not needed with jobs/remove_file.php."): ApiError {
  return new ApiError("quota_exceeded", `${message}${remedy}`, { reason: "files" });
}

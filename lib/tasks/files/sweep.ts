import { lightTransaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { dropAllUnneeded } from "./contents.ts";
import { MAX_UPLOAD_SECONDS } from "./pace.ts";
import { recordRemoval } from "./remove.ts";
import { dueFiles, staleUploads } from "./rows.ts";
import { fileStore } from "./store/file-store.ts";

const DAY_SECONDS = 86_400;
const BATCH = 200;

/**
 * Removes the bytes of files whose task ended long ago, and everything that uploads left behind when a process was killed. It runs several
 * times an hour, so that nothing of those is left after an hour.
 */
export async function sweepFiles(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const cutOff = secondsAfter(now, -2 * MAX_UPLOAD_SECONDS);
  await staleUploads(cutOff);
  await fileStore().sweepDrafts(cutOff);
  const ended = secondsAfter(now, -env().fileRetentionDays * DAY_SECONDS);
  for (;;) {
    const due = (await dueFiles(ended, BATCH)).map(({ id }) => id);
    await lightTransaction((tx) => recordRemoval(tx, ctx, due, "The retention period has ended."));
    if (due.length < BATCH) break;
  }
  await dropAllUnneeded();
}

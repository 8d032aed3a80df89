import type { Context } from "#lib/kernel/context.ts";
import { log } from "#lib/kernel/log.ts";

/** The most tasks that are read at once. */
const BATCH = 200;

type Due = (now: Date, after: Date, afterId: string, limit: number) => Promise<{ id: string; endsAt: Date }[]>;

/**
 * Acts on every task whose time has come, unless something stops that. One that is stopped, or that fails, is tried again in the next run
 * and keeps no other task waiting.
 * @param problem what the log says of one that failed
 * @param due the next tasks by time and ID
 * @param act reads the task again under its lock; whether it has acted
 * @returns how many tasks it acted on
 */
export async function sweep(
  ctx: Context,
  problem: string,
  due: Due,
  act: (taskId: string) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  let failed = 0;
  let after: [Date, string] = [new Date(0), ""];
  for (;;) {
    const batch = await due(ctx.clock.now(), ...after, BATCH);
    for (const { id } of batch) {
      try {
        if (await act(id)) done += 1;
      } catch (error) {
        failed += 1;
        log().error({ err: error, task: id }, problem);
      }
    }
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) break;
    after = [last.endsAt, last.id];
  }
  if (failed > 0) throw new Error(`${failed} times: ${problem}.`);
  return done;
}

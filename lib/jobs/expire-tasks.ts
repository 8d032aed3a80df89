import type { Context } from "#lib/kernel/context.ts";
import { expireDueTasks } from "#lib/tasks/expire.ts";

/** Every minute: open tasks whose time is over become expired. */
export async function expireTasks(ctx: Context): Promise<void> {
  await expireDueTasks(ctx);
}

import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { requireVisible } from "./admit.ts";
import { findTask } from "./row.ts";
import { isParty } from "./visibility.ts";

const taskOf = (name: string, table: string) =>
  statement(`side.task_of_${name}`, { id: text }, `SELECT task_id AS id FROM ${table} WHERE id = $1`);

/** The fields by which a call names a task, and how its ID is found from each. */
export const NAMES_A_TASK = {
  task_id: undefined,
  contract_id: taskOf("contract", "contracts"),
  dispute_id: taskOf("dispute", "disputes"),
  file_id: taskOf("file", "files"),
} as const;

/**
 * The scope that an access token needs for a call whose side decides: `order` for the requester of the task, who never changes, and
 * `work` for everyone else who may see it.
 * @throws ApiError not_found if there is no such task, or it is hidden from the caller
 */
export async function sideOf(ctx: ServiceContext, input: Record<string, unknown>): Promise<"order" | "work"> {
  for (const [name, find] of Object.entries(NAMES_A_TASK)) {
    const sent = input[name];
    if (typeof sent !== "string") continue;
    const [named] = find ? await find(sent) : [{ id: sent }];
    const task = requireVisible(ctx, named && (await findTask(named.id, ctx.clock.now())));
    // Only parties may know of files.
    if (name === "file_id" && !isParty(task, ctx.actor.id)) throw notFound();
    return task.requesterId === ctx.actor.id ? "order" : "work";
  }
  throw notFound();
}

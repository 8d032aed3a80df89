import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { advance } from "#lib/tasks/advance.ts";
import { lockTask, type TaskRow } from "#lib/tasks/row.ts";
import { approveSettlement } from "../approve.ts";
import { voidSettlement } from "../void.ts";
import { theHouse } from "./house.ts";

type Outcome = { state: "passed" | "failed" | "ended"; reason: string | null; seconds: number | null };

const taskOf = statement(
  "rehearsal_task",
  { id: text },
  "SELECT t.id FROM tasks t JOIN identities i ON i.id = t.requester_id WHERE i.house AND t.client_request_id = $1",
);

export type Finish = { rehearsal_id: string; left?: string | null };

/**
 * Judges the result of a rehearsal by the offer's result schema alone, or ends the task when the agent has left it or its time is over.
 * Runs after each of these; what has ended stays as it is.
 */
export async function finishRehearsal(ctx: Context, { rehearsal_id: id, left }: Finish): Promise<void> {
  const house = await theHouse(ctx.clock.now());
  const [found] = await taskOf(id);
  await transaction(async (tx) => {
    const task = found && (await lockTask(tx, found.id));
    const rehearsal = await tx.rehearsal.findUnique({ where: { id } });
    if (rehearsal?.state !== "running") return;
    const now = ctx.clock.now();
    const outcome = task
      ? await conclude(tx, { ...ctx, actor: house }, task, rehearsal.endsAt <= now, left ?? undefined)
      : rehearsal.endsAt <= now && ended("It could not be ordered.");
    if (!outcome) return;
    await tx.rehearsal.update({ where: { id }, data: { ...outcome, taskId: task?.id ?? null, endedAt: now } });
    if (outcome.state === "ended") return;
    const facts = {
      rehearsalPassed: outcome.state === "passed",
      rehearsedAt: now,
      rehearsalSeconds: outcome.seconds,
      rehearsalReason: outcome.reason,
    };
    const { offerId } = rehearsal;
    await tx.offerFacts.upsert({ where: { offerId }, create: { offerId, ...facts }, update: facts });
  });
}

const ENDED: TaskRow["state"][] = ["completed", "cancelled", "expired"];
const ended = (reason: string): Outcome => ({ state: "ended", reason, seconds: null });

/** Takes the step that ends the task, if it is time. @returns undefined while it goes on */
async function conclude(
  tx: Tx,
  ctx: Context,
  task: TaskRow,
  isOver: boolean,
  left: string | undefined,
): Promise<Outcome | undefined> {
  if (left) {
    if (!ENDED.includes(task.state)) await end(tx, ctx, task, left);
    return { state: "failed", reason: left, seconds: null };
  }
  if (task.state === "submitted") {
    const seconds = Math.round((task.updatedAt.getTime() - task.createdAt.getTime()) / 1000);
    const failure = task.criteriaResults?.find(({ passed }) => !passed);
    if (!failure) {
      await advance(tx, ctx, task, "complete");
      await approveSettlement(tx, ctx, task.id);
      return { state: "passed", reason: null, seconds };
    }
    const reason = wordsOf(failure.reason ?? "The result fails the offer's result_schema.");
    await end(tx, ctx, task, reason);
    return { state: "failed", reason, seconds };
  }
  if (ENDED.includes(task.state)) return ended(`The task is ${task.state}.`);
  if (!isOver) return undefined;
  const reason = `There was no result within 15 minutes; the task was ${task.state.replace("_", " ")}.`;
  await end(tx, ctx, task, reason);
  return ended(reason);
}

async function end(tx: Tx, ctx: Context, task: TaskRow, reason: string): Promise<void> {
  await advance(tx, ctx, task, "end_rehearsal", { reason });
  await voidSettlement(tx, ctx, task.id);
}

/** `/words is required.` → `result.words is missing.` */
function wordsOf(reason: string): string {
  const [, pointer, rest] = /^(\/\S*) (.*)$/.exec(reason) ?? [];
  if (pointer === undefined || rest === undefined) return reason;
  return `result${pointer.replaceAll("/", ".")} ${rest === "is required." ? "is missing." : rest}`;
}

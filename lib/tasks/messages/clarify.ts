import { audit } from "#lib/db/audit.ts";
import * as db from "#lib/db/columns.ts";
import { saltedHash } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { gateTask } from "../actions.ts";
import { requireRole, requireState, requireVisible } from "../admit.ts";
import { stepTask, viewAfter } from "../change.ts";
import { taskEvent } from "../events.ts";
import { requireGates } from "../gates.ts";
import { CLARIFICATIONS_PER_TASK, type ClarificationWire } from "./schema.ts";

const write = statement(
  "task.clarify",
  { id: db.text },
  "UPDATE tasks SET clarifications = $2::jsonb, updated_at = $3 WHERE id = $1 RETURNING id",
);

/**
 * Adds a clarification to the brief of an open task. The same text is added once, so a request can be sent again.
 * @throws ApiError not_found, forbidden, state_conflict, task_expired, gate_refused, quota_exceeded
 */
export function clarifyTask(ctx: ServiceContext, input: { task_id: string; text: string }) {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = requireVisible(ctx, found);
    requireRole(ctx, task, "requester");
    requireState(ctx, task, ["open"]);
    requireGates(ctx.actor, "clarify", gateTask(task));
    const known = task.clarifications ?? [];
    if (known.some(({ text }) => text === input.text)) return viewAfter(ctx, task);
    if (known.length >= CLARIFICATIONS_PER_TASK)
      throw new ApiError(
        "quota_exceeded",
        `This task has ${CLARIFICATIONS_PER_TASK} clarifications, the maximum. Cancel it and post a clearer one.`,
        { reason: "clarifications" },
      );
    const at = ctx.clock.now();
    const clarifications: ClarificationWire[] = [...known, { text: input.text, at: at.toISOString() }];
    await write.on(tx, task.id, JSON.stringify(clarifications), at);
    const { hash, salt } = saltedHash(input.text);
    await audit(tx, ctx, {
      action: "clarify",
      subjectKind: "task",
      subjectId: task.id,
      event: taskEvent("task.clarified", task, { text_hash: hash }, { facts: { text_hash: hash }, textSalt: salt }),
    });
    return viewAfter(ctx, {
      ...task,
      clarifications,
      clarificationCount: clarifications.length,
      updatedAt: at,
      version: task.version + 1,
    });
  });
}

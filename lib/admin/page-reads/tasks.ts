import type { z } from "zod";
import { contractView } from "#lib/contracts/view.ts";
import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import { END, newestFirst } from "#lib/db/list.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { loadMoneyFacts } from "#lib/settlements/acts/facts.ts";
import { loadHoldFacts } from "#lib/settlements/hold-facts.ts";
import { settlementView } from "#lib/settlements/view.ts";
import { MAX_EVER } from "#lib/tasks/files/quotas.ts";
import { fileView, listFiles } from "#lib/tasks/files/rows.ts";
import { taskHistory } from "#lib/tasks/read.ts";
import { findTask, hasLapsed, seenState } from "#lib/tasks/row.ts";
import { taskView } from "#lib/tasks/view.ts";
import type { AdminContext } from "../context.ts";
import type { TasksQuery } from "../schema.ts";
import { readEventsAbout } from "./audit.ts";
import { readDisputesOf } from "./disputes.ts";

const TASK = {
  id: db.text.from("t.id"),
  title: db.text.from("t.title"),
  state: db.taskState.from(seenState("now()")),
  visibility: db.visibility.from("t.visibility"),
  paymentMode: db.paymentMode.from("t.payment_mode"),
  /** The agreed price once both parties have accepted, the budget until then. */
  pricePence: db.integer.from("coalesce(agreed.amount_pence, t.budget_pence)"),
  held: db.boolean.from("t.held_at IS NOT NULL"),
  disputed: db.boolean.from("open_dispute.found IS NOT NULL"),
  requesterId: db.text.from("t.requester_id"),
  requesterName: db.text.from("r.name"),
  providerId: db.nullable(db.text).from("p.id"),
  providerName: db.nullable(db.text).from("p.name"),
  at: db.timestamp.from("t.created_at"),
};
export type ListedTask = db.RowOf<typeof TASK>;

const read = newestFirst({
  name: "admin_tasks",
  table: "tasks",
  alias: "t",
  scope: "true",
  columnJoins: `JOIN identities r ON r.id = t.requester_id
    LEFT JOIN identities p ON p.id = coalesce(t.provider_id, t.selected_provider_id)
    LEFT JOIN LATERAL (
      SELECT c.amount_pence FROM contracts c WHERE c.task_id = t.id AND c.state = 'accepted' LIMIT 1
    ) agreed ON true
    LEFT JOIN LATERAL (
      SELECT true AS found FROM disputes d WHERE d.task_id = t.id AND d.state = 'open' LIMIT 1
    ) open_dispute ON true`,
  columns: TASK,
  filters: {
    id: (placeholder) => `t.id = ${placeholder}`,
    party: (placeholder) =>
      `(t.requester_id = ${placeholder} OR t.provider_id = ${placeholder} OR t.selected_provider_id = ${placeholder})`,
    words: (placeholder) => `t.search @@ (SELECT websearch_to_tsquery('english', ${placeholder}))`,
    open: (placeholder) => `${seenState(placeholder)} = 'open'`,
    expired: (placeholder) => `${seenState(placeholder)} = 'expired'`,
    state: (placeholder) => `t.state = ${placeholder}::task_state AND NOT ${hasLapsed("now()")}`,
    mode: (placeholder) => `t.payment_mode = ${placeholder}::payment_mode`,
    visibility: (placeholder) => `t.visibility = ${placeholder}::visibility`,
    held: (placeholder) => `t.held_at IS NOT NULL AND ${placeholder}::boolean`,
  },
});

const [TASK_ID, PUBLIC_ID] = [idPattern("tsk"), idPattern("agt")];

/** All tasks, including unlisted ones, newest first. Searching for a public_id finds the tasks of that party. */
export function listAllTasks(ctx: AdminContext, input: z.output<typeof TasksQuery>) {
  const { q, state } = input;
  const search = q === undefined ? {} : TASK_ID.test(q) ? { id: q } : PUBLIC_ID.test(q) ? { party: q } : { words: q };
  const now = ctx.clock.now();
  return read(input, {
    ...search,
    open: state === "open" ? now : undefined,
    expired: state === "expired" ? now : undefined,
    state: state === "open" || state === "expired" ? undefined : state,
    mode: input.payment_mode,
    visibility: input.visibility,
    held: input.held && true,
  });
}

/**
 * One task with its agreements, settlement, payments, disputes, and the audit trail of all of these, oldest first. Undefined if it
 * does not exist.
 */
export async function readWholeTask(ctx: AdminContext, taskId: string) {
  const row = await findTask(taskId, ctx.clock.now());
  if (!row) return undefined;
  const [contracts, settlement, disputes, history, files] = await Promise.all([
    prisma().contract.findMany({ where: { taskId }, orderBy: { createdAt: "asc" } }),
    prisma().settlement.findFirst({ where: { taskId }, orderBy: { seq: "desc" } }),
    readDisputesOf(taskId),
    taskHistory(taskId),
    listFiles(taskId, END, null, MAX_EVER),
  ]);
  const [payments, holds, money] = await Promise.all([
    prisma().payment.findMany({
      where: { contractId: { in: contracts.map(({ id }) => id) } },
      orderBy: { createdAt: "asc" },
    }),
    settlement && loadHoldFacts([settlement.id]),
    settlement && loadMoneyFacts(prisma(), settlement),
  ]);
  const about = [taskId, ...[...contracts, ...payments, ...disputes].map(({ id }) => id)];
  if (settlement) about.push(settlement.id);
  return {
    row,
    task: taskView(row, ctx.actor, ctx.clock.now()),
    contracts: contracts.map((contract) => contractView(contract, true)),
    settlement: settlement && settlementView(settlement, holds?.get(settlement.id)),
    money,
    payments,
    disputes,
    history,
    files: files.map(fileView),
    events: await readEventsAbout(about),
  };
}

export type WholeTask = NonNullable<Awaited<ReturnType<typeof readWholeTask>>>;

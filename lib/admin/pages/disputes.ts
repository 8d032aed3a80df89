import type { z } from "zod";
import { listing } from "#lib/db/listing.ts";
import { statement } from "#lib/db/statement.ts";
import type { DisputesQuery, Resolution } from "../schema.ts";

export type ListedDispute = {
  id: string;
  taskId: string;
  title: string;
  taskState: string;
  paymentMode: "TEST" | "LIVE";
  amountPence: number | null;
  openedBy: string;
  openedByName: string;
  requesterName: string;
  providerName: string | null;
  reason: string;
  state: "open" | "resolved";
  resolution: Resolution | null;
  createdAt: Date;
  resolvedAt: Date | null;
};

const SELECT = `SELECT d.id, d.task_id AS "taskId", t.title, t.state AS "taskState", t.payment_mode AS "paymentMode",
    c.amount_pence AS "amountPence", d.opened_by AS "openedBy", o.name AS "openedByName", r.name AS "requesterName",
    p.name AS "providerName", d.reason, d.state, d.resolution, d.created_at AS "createdAt", d.resolved_at AS "resolvedAt"
  FROM disputes d JOIN tasks t ON t.id = d.task_id JOIN identities o ON o.id = d.opened_by
    JOIN identities r ON r.id = t.requester_id LEFT JOIN identities p ON p.id = t.provider_id
    LEFT JOIN contracts c ON c.task_id = t.id AND c.state <> 'declined'`;

const disputes = listing<ListedDispute>("admin_disputes");

/** Disputes: open ones oldest first, because they have waited longest; resolved ones newest first. */
export async function listDisputes({ state, cursor, limit }: z.output<typeof DisputesQuery>) {
  const [order, beyond] = state === "open" ? ["ASC", ">"] : ["DESC", "<"];
  const found = await disputes(
    `${state}${cursor ? "+cursor" : ""}`,
    () => `${SELECT} WHERE d.state = '${state}'
      ${cursor ? `AND (d.created_at, d.id) ${beyond} (SELECT c.created_at, c.id FROM disputes c WHERE c.id = $2)` : ""}
      ORDER BY d.created_at ${order}, d.id ${order} LIMIT $1`,
    cursor ? [limit + 1, cursor] : [limit + 1],
  );
  const shown = found.slice(0, limit);
  return { disputes: shown, nextCursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

const byId = statement<ListedDispute>("admin_dispute", `${SELECT} WHERE d.id = $1`);

export async function findDispute(disputeId: string): Promise<ListedDispute | undefined> {
  return (await byId(disputeId))[0];
}

const ofTask = statement<ListedDispute>(
  "admin_disputes_of_task",
  `${SELECT} WHERE d.task_id = $1 ORDER BY d.created_at, d.id`,
);

export function readDisputesOf(taskId: string): Promise<ListedDispute[]> {
  return ofTask(taskId);
}

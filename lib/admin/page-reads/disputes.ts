import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { byAge, listBy } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { DisputesQuery } from "../schema.ts";
import { finder } from "./finder.ts";

const DISPUTE = {
  id: db.text.from("d.id"),
  taskId: db.text.from("d.task_id"),
  title: db.text.from("t.title"),
  taskState: db.taskState.from("t.state"),
  paymentMode: db.paymentMode.from("t.payment_mode"),
  amountPence: db.nullable(db.integer).from("c.amount_pence"),
  openedBy: db.text.from("d.opened_by"),
  openedByName: db.text.from("o.name"),
  requesterName: db.text.from("r.name"),
  /** Of the provider that is the dispute's party. */
  providerName: db.nullable(db.text).from("p.name"),
  reason: db.text.from("d.reason"),
  state: db.disputeState.from("d.state"),
  resolution: db.nullable(db.disputeResolution).from("d.resolution"),
  resolutionReason: db.nullable(db.text).from("d.resolution_reason"),
  requesterId: db.text.from("t.requester_id"),
  providerId: db.nullable(db.text).from("coalesce(d.provider_id, t.provider_id)"),
  createdAt: db.timestamp.from("d.created_at"),
  resolvedAt: db.nullable(db.timestamp).from("d.resolved_at"),
};
export type ListedDispute = db.RowOf<typeof DISPUTE>;

const JOINS = `JOIN tasks t ON t.id = d.task_id JOIN identities o ON o.id = d.opened_by
  JOIN identities r ON r.id = t.requester_id LEFT JOIN identities p ON p.id = coalesce(d.provider_id, t.provider_id)
  LEFT JOIN contracts c ON c.task_id = t.id AND c.state < 'declined'`;

const inState = (state: "open" | "resolved") =>
  listBy(
    {
      name: `admin_disputes_${state}`,
      table: "disputes",
      alias: "d",
      scope: `d.state = '${state}'`,
      columnJoins: JOINS,
      columns: DISPUTE,
      filters: {},
    },
    { ...byAge("disputes"), ascending: state === "open" },
  );
const disputes = { open: inState("open"), resolved: inState("resolved") };

/** Disputes: open ones oldest first, because they have waited longest; resolved ones newest first. */
export const listDisputes = ({ state, ...point }: z.output<typeof DisputesQuery>) => disputes[state](point, {});

const SELECT = `SELECT ${db.select(DISPUTE)} FROM disputes d ${JOINS}`;
export const findDispute = finder("admin_dispute", DISPUTE, `${SELECT} WHERE d.id = $1`);

const SAID = {
  authorId: db.text.from("s.author_id"),
  statement: db.text.from("s.statement"),
  createdAt: db.timestamp.from("s.created_at"),
};
/** What the parties of a dispute say, oldest first. */
export const readStatements = statement(
  "admin_dispute_statements",
  SAID,
  `SELECT ${db.select(SAID)} FROM dispute_statements s WHERE s.dispute_id = $1 ORDER BY s.number`,
);

export const readDisputesOf = statement(
  "admin_disputes_of_task",
  DISPUTE,
  `${SELECT} WHERE d.task_id = $1 ORDER BY d.created_at, d.id`,
);

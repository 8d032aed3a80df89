import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

// What an agent earns is the net after refunds, as `earned_pence` of each settlement; what it spends is the gross without what came back.
const sum = (side: "provider" | "requester", state: "approved" | "recorded", pence: string) =>
  `coalesce(sum(${pence}) FILTER (WHERE side = '${side}' AND state = '${state}'), 0)`;
const NET = "net_pence - net_unwound_pence";
const GROSS = "gross_pence - refunded_pence - disputed_pence";

const EARNINGS = {
  mode: db.paymentMode.from("payment_mode"),
  earned: db.bigint.from(sum("provider", "approved", NET)),
  toBeEarned: db.bigint.from(sum("provider", "recorded", NET)),
  spent: db.bigint.from(sum("requester", "approved", GROSS)),
  toBeSpent: db.bigint.from(sum("requester", "recorded", GROSS)),
};

/** By payment mode, in pence: what an agent has earned and spent with completed tasks, and what is agreed beyond that. */
export const earningsOf = statement(
  "settlement.earnings",
  EARNINGS,
  `SELECT ${db.select(EARNINGS)} FROM (
     SELECT 'provider' AS side, s.* FROM settlements s WHERE s.provider_id = $1
     UNION ALL SELECT 'requester' AS side, s.* FROM settlements s WHERE s.requester_id = $1
   ) s GROUP BY payment_mode ORDER BY payment_mode DESC`,
);

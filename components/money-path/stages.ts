import type { SettlementWire } from "#lib/settlements/schema.ts";

/** The fields of a settlement that its stages are derived from. Amounts are in pence. */
export type SettlementFacts = Pick<
  SettlementWire,
  | "payment_mode"
  | "gross_pence"
  | "fee_pence"
  | "net_pence"
  | "earned_pence"
  | "refunded_pence"
  | "disputed_pence"
  | "refund_due_pence"
  | "awarded_pence"
  | "debt_pence"
  | "withheld_pence"
  | "state"
  | "funding"
  | "transfer"
  | "payout"
  | "payout_detail"
  | "recorded_at"
  | "funded_at"
  | "transferred_at"
  | "paid_out_at"
  | "transfer_holds"
>;

export type Stage = {
  name: "Agreed" | "Funded" | "Transferred" | "Paid out";
  /** Null if no amount has reached this stage, or will. */
  pence: number | null;
  at: string | null;
  words: string | null;
  mark: "recorded" | "real" | "simulated" | "pending" | "failed" | "none";
};

type Reached = [mark: Stage["mark"], words: string | null];

const FUNDING: Record<SettlementFacts["funding"], Reached> = {
  not_required: ["none", "not needed: the task is free"],
  required: ["none", "not yet"],
  pending: ["pending", "not yet: payment pending"],
  confirmed: ["real", null],
};

const TRANSFER: Record<SettlementFacts["transfer"], Reached> = {
  none: ["none", "not yet"],
  queued: ["pending", "not yet: queued"],
  sent: ["real", null],
  simulated: ["simulated", null],
  failed: ["failed", "failed"],
  reversed: ["failed", "reversed"],
};

const PAYOUT: Record<Exclude<SettlementFacts["payout"], "unknown">, Reached> = {
  paid: ["real", null],
  pending: ["pending", "not yet: on its way to the bank"],
  failed: ["failed", "failed at the bank"],
};

/** A stage has its amount and time only if it was reached: then it needs no words. */
const stage = (name: Stage["name"], [mark, words]: Reached, pence: number, at: string | null): Stage =>
  words === null ? { name, mark, words, pence, at } : { name, mark, words, pence: null, at: null };

function transferReached({ gross_pence: gross, transfer }: SettlementFacts): Reached {
  return gross === 0 ? ["none", "nothing to transfer"] : TRANSFER[transfer];
}

function payoutReached({
  gross_pence: gross,
  payment_mode: mode,
  payout,
  payout_detail: detail,
  transfer,
}: SettlementFacts): Reached {
  if (gross === 0) return ["none", "nothing to pay out"];
  if (mode === "TEST") return ["none", "never in TEST"];
  if (payout !== "unknown") return PAYOUT[payout];
  if (detail) return ["none", "not attributable: paid out manually or instantly"];
  return ["none", transfer === "sent" ? "not known yet" : "not yet"];
}

/** The four stages of a settlement's money. No stage looks further along than the record shows. */
export function stagesOf(money: SettlementFacts): Stage[] {
  const { gross_pence: gross, earned_pence: earned, payment_mode: mode } = money;
  const agreed = stage("Agreed", [money.state === "void" ? "failed" : "recorded", null], gross, money.recorded_at);
  const funding: Reached =
    money.funding === "confirmed" && mode === "TEST" ? ["simulated", null] : FUNDING[money.funding];
  const rest = [
    stage("Funded", funding, gross, money.funded_at),
    stage("Transferred", transferReached(money), earned, money.transferred_at),
    stage("Paid out", payoutReached(money), earned, money.paid_out_at),
  ];
  if (money.state !== "void") return [agreed, ...rest];
  // Stages reached before the settlement was voided stay; the others will never be reached.
  return [
    { ...agreed, words: "voided since" },
    ...rest.map((each) => (each.at ? each : stage(each.name, ["none", "will not happen"], 0, null))),
  ];
}

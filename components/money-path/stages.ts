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

const stage = (name: Stage["name"], mark: Stage["mark"], words: string | null, rest: Partial<Stage> = {}): Stage => ({
  name,
  pence: null,
  at: null,
  words,
  mark,
  ...rest,
});

function funded(money: SettlementFacts): Stage {
  const reached = { pence: money.gross_pence, at: money.funded_at };
  switch (money.funding) {
    case "not_required":
      return stage("Funded", "none", "not needed: the task is free");
    case "required":
      return stage("Funded", "none", "not yet");
    case "pending":
      return stage("Funded", "pending", "not yet: payment pending");
    case "confirmed":
      return stage("Funded", money.payment_mode === "TEST" ? "simulated" : "real", null, reached);
  }
}

function transferred(money: SettlementFacts): Stage {
  const reached = { pence: money.earned_pence, at: money.transferred_at };
  if (money.gross_pence === 0) return stage("Transferred", "none", "nothing to transfer");
  switch (money.transfer) {
    case "none":
      return stage("Transferred", "none", "not yet");
    case "queued":
      return stage("Transferred", "pending", "not yet: queued");
    case "sent":
      return stage("Transferred", "real", null, reached);
    case "simulated":
      return stage("Transferred", "simulated", null, reached);
    case "failed":
      return stage("Transferred", "failed", "failed");
    case "reversed":
      return stage("Transferred", "failed", "reversed");
  }
}

function paidOut(money: SettlementFacts): Stage {
  if (money.gross_pence === 0) return stage("Paid out", "none", "nothing to pay out");
  if (money.payment_mode === "TEST") return stage("Paid out", "none", "never in TEST");
  switch (money.payout) {
    case "paid":
      return stage("Paid out", "real", null, { pence: money.earned_pence, at: money.paid_out_at });
    case "pending":
      return stage("Paid out", "pending", "not yet: on its way to the bank");
    case "failed":
      return stage("Paid out", "failed", "failed at the bank");
    case "unknown":
      if (money.payout_detail) return stage("Paid out", "none", "not attributable: paid out manually or instantly");
      return stage("Paid out", "none", money.transfer === "sent" ? "not known yet" : "not yet");
  }
}

/** The four stages of a settlement's money. No stage looks further along than the record shows. */
export function stagesOf(money: SettlementFacts): Stage[] {
  const agreed = stage("Agreed", money.state === "void" ? "failed" : "recorded", null, {
    pence: money.gross_pence,
    at: money.recorded_at,
  });
  const rest = [funded(money), transferred(money), paidOut(money)];
  if (money.state !== "void") return [agreed, ...rest];
  // Stages reached before the settlement was voided stay; the others will never be reached.
  return [
    { ...agreed, words: "voided since" },
    ...rest.map((each) => (each.at ? each : stage(each.name, "none", "will not happen"))),
  ];
}

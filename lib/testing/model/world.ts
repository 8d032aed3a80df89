// What the model knows of the service: no more than the interface tells its callers, and written down from that alone.

export const AGENTS = ["requester", "selected", "another", "stranger"] as const;
/** `selected` is the provider whom a task may name; `stranger` has proved no domain. */
export type AgentName = (typeof AGENTS)[number];

export type Standing = { suspended: boolean; held: boolean };

export type ModelPayment = {
  id: string;
  contractId: string;
  amountPence: number;
  status: "pending" | "succeeded" | "declined" | "expired" | "canceled";
  /** LIVE: what has become of the checkout at Stripe, whether or not the service knows. */
  checkout: "none" | "open" | "paid" | "expired";
  /** How far the news of that has come: not on its way, to be delivered, or delivered and not looked into. */
  news: "none" | "sent" | "delivered";
  /** LIVE: given up here; the next work of the service closes its checkout. */
  closing: boolean;
};

export type ModelContract = {
  id: string;
  hash: string;
  state: "proposed" | "accepted" | "declined";
  requester: AgentName;
  provider: AgentName;
  amountPence: number;
  acceptedBy: AgentName[];
};

export type ModelSettlement = {
  state: "recorded" | "approved" | "void";
  funding: "not_required" | "required" | "pending" | "confirmed";
  transfer: "none" | "queued" | "sent" | "simulated";
  grossPence: number;
};

export type TaskState =
  | "open"
  | "claimed"
  | "proposed"
  | "accepted"
  | "in_progress"
  | "submitted"
  | "completed"
  | "cancelled"
  | "expired";

export type ModelTask = {
  id: string;
  mode: "TEST" | "LIVE";
  listed: boolean;
  budgetPence: number;
  requester: AgentName;
  selected: AgentName | null;
  provider: AgentName | null;
  state: TaskState;
  /** Its time is over: whenever it is open, it is expired. */
  overdue: boolean;
  held: boolean;
  contracts: ModelContract[];
  payments: ModelPayment[];
  settlement: ModelSettlement | null;
  disputes: { id: string; open: boolean }[];
};

export type World = { agents: Record<AgentName, Standing>; tasks: ModelTask[] };

export function newWorld(): World {
  const fresh = (): Standing => ({ suspended: false, held: false });
  return {
    agents: { requester: fresh(), selected: fresh(), another: fresh(), stranger: fresh() },
    tasks: [],
  };
}

export function openDispute(task: ModelTask) {
  return task.disputes.find(({ open }) => open);
}

/** The agreement that is proposed or accepted; a declined one counts no more. */
export function currentContract(task: ModelTask): ModelContract | undefined {
  return task.contracts.find(({ state }) => state !== "declined");
}

export function payable(task: ModelTask): number {
  return currentContract(task)?.amountPence ?? 0;
}

/** What the ledger has to say about a task: pence by account, as debits less credits, without accounts at zero. */
export function balances(task: ModelTask): Record<string, number> {
  const { settlement } = task;
  if (settlement?.funding !== "confirmed") return {};
  const gross = settlement.grossPence;
  const net = Math.floor((gross * 9) / 10);
  const passedOn = settlement.transfer === "sent" || settlement.transfer === "simulated";
  const all: Record<string, number> =
    settlement.state === "recorded"
      ? { cash: gross, held: -gross }
      : settlement.state === "void"
        ? { cash: gross, refund_due: -gross }
        : { cash: passedOn ? gross - net : gross, platform_fees: net - gross, provider_payable: passedOn ? 0 : -net };
  return Object.fromEntries(Object.entries(all).filter(([, pence]) => pence !== 0));
}

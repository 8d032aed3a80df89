// The model's view of the service. It is derived only from what the API tells its callers.

export const AGENTS = ["requester", "selected", "another", "stranger"] as const;
/** `selected` is the provider that a task may name; `stranger` starts with an unverified domain. */
export type AgentName = (typeof AGENTS)[number];

/** What an administrator can deny to an identity. */
export const ACTIONS = [
  "create",
  "prepare",
  "claim",
  "release",
  "propose",
  "accept",
  "decline",
  "fund",
  "start",
  "submit",
  "request_changes",
  "complete",
  "cancel",
  "dispute",
  "select",
  "dismiss",
  "leave",
  "give_up",
  "conclude",
  "quote",
  "choose_quote",
] as const;
export type Action = (typeof ACTIONS)[number];

/** What an agent may do. */
export type Standing = {
  suspended: boolean;
  held: boolean;
  risk: "low" | "normal" | "high";
  denied: Action[];
  skills: string[];
  /** Whether its domain counts as verified; the third failed check in a row ends that. */
  proved: boolean;
  failedChecks: number;
};

export type ModelPayment = {
  id: string;
  contractId: string;
  status: "pending" | "succeeded" | "declined" | "canceled";
};

export type ModelContract = {
  id: string;
  hash: string;
  state: "proposed" | "accepted" | "declined" | "lapsed";
  requester: AgentName;
  provider: AgentName;
  amountPence: number;
  acceptedBy: AgentName[];
};

export type ModelQuote = {
  id: string;
  provider: AgentName;
  amountPence: number;
  /** As it was left; `quoteStateOf` says how it stands. */
  state: "live" | "chosen" | "withdrawn" | "replaced";
};

export type ModelSettlement = {
  state: "recorded" | "approved" | "void";
  funding: "not_required" | "required" | "pending" | "confirmed";
  transfer: "none" | "simulated";
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
  /** The `client_request_id` under which it was made, and what was asked for. */
  requestId: string;
  listed: boolean;
  skill: string | null;
  openTo: "claims" | "quotes";
  budgetPence: number;
  requester: AgentName;
  selected: AgentName | null;
  /** The provider that was selected at its creation. */
  selectedFirst: AgentName | null;
  provider: AgentName | null;
  state: TaskState;
  /** It is past its expiry: if it is open, it counts as expired. */
  overdue: boolean;
  held: boolean;
  /** Those who may not claim it again. */
  dismissed: AgentName[];
  /** Completing it once more then changes nothing. */
  completedByAdministrator: boolean;
  /** What the next claim will find proposed, if it is that of the provider whose quote it comes from. */
  prepared: { amountPence: number; accept: boolean; only: AgentName | null } | null;
  quotes: ModelQuote[];
  contracts: ModelContract[];
  payments: ModelPayment[];
  settlement: ModelSettlement | null;
  disputes: { id: string; open: boolean; provider: AgentName | null }[];
};

export type World = { agents: Record<AgentName, Standing>; tasks: ModelTask[] };

export const PLAIN_SKILL = "translation";
export const RARE_SKILL = "word-count";

export function newWorld(): World {
  const plain = { suspended: false, held: false, risk: "normal", failedChecks: 0 } as const;
  const fresh = (more: Partial<Standing>): Standing => ({
    ...plain,
    denied: [],
    skills: [PLAIN_SKILL],
    proved: true,
    ...more,
  });
  return {
    agents: {
      requester: fresh({}),
      selected: fresh({}),
      another: fresh({ skills: [PLAIN_SKILL, RARE_SKILL] }),
      stranger: fresh({ proved: false }),
    },
    tasks: [],
  };
}

export function openDispute(task: ModelTask) {
  return task.disputes.find(({ open }) => open);
}

/** The agreement that is proposed or accepted; declined and lapsed ones do not count. */
export function currentContract(task: ModelTask): ModelContract | undefined {
  return task.contracts.find(({ state }) => state === "proposed" || state === "accepted");
}

export function payable(task: ModelTask): number {
  return currentContract(task)?.amountPence ?? 0;
}

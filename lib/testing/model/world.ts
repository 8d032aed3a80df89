// What the model knows of the service: no more than the interface tells its callers, and written down from that alone.

export const AGENTS = ["requester", "selected", "another", "stranger"] as const;
/** `selected` is the provider whom a task may name; `stranger` has proved no domain at first. */
export type AgentName = (typeof AGENTS)[number];

/** What an administrator can deny to an identity. */
export const ACTIONS = [
  ...(["create", "claim", "release", "propose", "accept", "decline", "fund"] as const),
  ...(["start", "submit", "request_changes", "complete", "cancel", "dispute"] as const),
];
export type Action = (typeof ACTIONS)[number];

/** How far the news of something at Stripe has come: it can be on its way, and delivered but not looked into. */
export type News = { sent: boolean; delivered: boolean };
export const noNews = (): News => ({ sent: false, delivered: false });

/** What an agent may do, and whether it can be paid. */
export type Standing = {
  suspended: boolean;
  held: boolean;
  risk: "low" | "normal" | "high";
  denied: Action[];
  skills: string[];
  /** Whether the proof of its domain holds; of three failed checks in a row the third ends that. */
  proved: boolean;
  failedChecks: number;
  /** Its account at Stripe, and as the service last heard of it. */
  account: { ready: boolean; known: boolean; news: News } | null;
};

export type ModelPayment = {
  id: string;
  contractId: string;
  amountPence: number;
  status: "pending" | "succeeded" | "declined" | "expired" | "canceled";
  /** LIVE: what has become of the checkout at Stripe, whether or not the service knows. */
  checkout: "none" | "open" | "paid" | "expired";
  /** What the payer got back of it at Stripe. */
  refundedPence: number;
  contested: "never" | "open" | "won" | "lost";
  contestedPence: number;
  /** The same, as the service last read it. */
  known: { refundedPence: number; disputedPence: number };
  news: News;
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
  transfer: "none" | "queued" | "sent" | "reversed" | "simulated";
  grossPence: number;
  /** Whether anything has happened for which a queued transfer is looked at again. */
  woken: boolean;
  /** What was taken back of the transfer at Stripe, and what of that the service knows. */
  reversed: { pence: number; knownPence: number; news: News };
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
  mode: "TEST" | "LIVE";
  listed: boolean;
  skill: string | null;
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

export const PLAIN_SKILL = "translation";
export const RARE_SKILL = "word-count";

export function newWorld(): World {
  const plain = { suspended: false, held: false, risk: "normal", failedChecks: 0 } as const;
  const fresh = (more: Partial<Standing>): Standing => ({
    ...{ ...plain, denied: [], skills: [PLAIN_SKILL], proved: true, account: null },
    ...more,
  });
  const account = () => ({ ready: true, known: true, news: noNews() });
  return {
    agents: {
      requester: fresh({}),
      selected: fresh({ account: account() }),
      another: fresh({ account: account(), skills: [PLAIN_SKILL, RARE_SKILL] }),
      stranger: fresh({ proved: false }),
    },
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

/** Whatever kept these transfers waiting may be over. */
export function wake({ tasks }: World, concerned: (task: ModelTask) => boolean): void {
  for (const task of tasks) if (task.settlement && concerned(task)) task.settlement.woken = true;
}

/** The service reads a provider's account at Stripe; its transfers are looked at again if that says anything new. */
export function learnAccount(world: World, who: AgentName): void {
  const { account } = world.agents[who];
  if (!account || account.known === account.ready) return;
  account.known = account.ready;
  wake(world, ({ provider }) => provider === who);
}

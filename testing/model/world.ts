// The model's view of the service. It is derived only from what the API tells its callers.

export const AGENTS = ["requester", "selected", "another", "stranger"] as const;
/** `selected` is the provider that a task may name; `stranger` starts with an unverified domain. */
export type AgentName = (typeof AGENTS)[number];

/** What an administrator can deny to an identity. */
export const ACTIONS = [
  ...(["create", "prepare", "claim", "release", "propose", "accept", "decline", "fund"] as const),
  ...(["start", "submit", "request_changes", "complete", "cancel", "dispute"] as const),
  ...(["select", "dismiss", "leave", "give_up", "conclude", "quote", "choose_quote"] as const),
];
export type Action = (typeof ACTIONS)[number];

/** Where the news of a change at Stripe is: not sent, delivered, or processed. */
export type News = { sent: boolean; delivered: boolean };
export const noNews = (): News => ({ sent: false, delivered: false });

/** What an agent may do, and whether it can be paid. */
export type Standing = {
  suspended: boolean;
  held: boolean;
  risk: "low" | "normal" | "high";
  denied: Action[];
  skills: string[];
  /** Whether its domain counts as verified; the third failed check in a row ends that. */
  proved: boolean;
  failedChecks: number;
  /** Its account at Stripe, and the account as the service last read it. */
  account: { ready: boolean; known: boolean; news: News } | null;
};

export type ModelPayment = {
  id: string;
  contractId: string;
  amountPence: number;
  status: "pending" | "succeeded" | "declined" | "expired" | "canceled";
  /** LIVE: the state of the checkout at Stripe, whether or not the service knows it. */
  checkout: "none" | "open" | "paid" | "expired";
  /** What was refunded at Stripe. */
  refundedPence: number;
  contested: "never" | "open" | "won" | "lost";
  contestedPence: number;
  /** The same, as the service last read it. */
  known: { refundedPence: number; disputedPence: number };
  news: News;
  /** LIVE: abandoned here; the service's next background work closes its checkout. */
  closing: boolean;
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
  transfer: "none" | "queued" | "sent" | "failed" | "reversed" | "simulated";
  grossPence: number;
  /** What a split has awarded the provider of the gross. */
  awardedPence: number | null;
  /** Whether something has happened after which a queued transfer is checked again. */
  woken: boolean;
  /** LIVE: the transfer that is not sent yet, and up to which refunds and chargebacks do not hold it. */
  open: { pence: number; allowedRefundPence: number; allowedDisputePence: number } | null;
  /** LIVE: the sent transfers, oldest first. */
  sent: ModelTransfer[];
  /** TEST: what counts as transferred. */
  simulatedPence: number;
  /** The work was given up: what was paid goes back, also if it comes later. */
  returns: boolean;
  /** LIVE: what of that the service's next background work refunds. */
  returningPence: number;
};

export const nothingSent = () => ({
  ...{ awardedPence: null, woken: false, open: null, sent: [] as ModelTransfer[], simulatedPence: 0 },
  ...{ returns: false, returningPence: 0 },
});

export type ModelTransfer = { pence: number; reversedPence: number };

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

/** The agreement that is proposed or accepted; declined and lapsed ones do not count. */
export function currentContract(task: ModelTask): ModelContract | undefined {
  return task.contracts.find(({ state }) => state === "proposed" || state === "accepted");
}

export function payable(task: ModelTask): number {
  return currentContract(task)?.amountPence ?? 0;
}

/** Something that held these transfers back may have ended. */
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

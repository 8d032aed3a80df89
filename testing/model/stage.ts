import type { TestAgent } from "#testing/factories.ts";
import type { Live } from "#testing/live.ts";
import type { Made } from "./effect.ts";
import type { Lists } from "./expect.ts";
import type { AgentName } from "./world.ts";

/** The service under test with the people who use it. */
export type Stage = {
  live: Live;
  /** With the account at Stripe of those who have one. */
  agents: Record<AgentName, TestAgent & { account?: string }>;
  /** How many of Stripe's events have been delivered, or were left over from earlier courses. */
  delivered: number;
  /** How many tasks earlier courses have left. */
  earlierTasks: number;
};

/** The parts of an answer that are compared. */
export type Read = Partial<{
  task: {
    task_id: string;
    state: string;
    live_quotes?: string;
    available_actions: { action: string; ready: boolean }[];
  };
  quote: { quote_id: string; state: string };
  contract: { contract_id: string; state: string; terms_hash: string; amount_pence: number; terms?: object };
  payment: { payment_id: string; status: string };
  dispute: { dispute_id: string };
  settlement: { state: string; funding: string; transfer: string; gross_pence: number };
  lists: Lists;
}>;

/** The outcome of a command; `gates` are those that blocked it. */
export type Outcome = { status: number; code: string | undefined; gates: string[]; made: Made; read: Read };

export const NOTHING: Made = { id: "", hash: "", requestId: "" };

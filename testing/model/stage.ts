import type { TestAgent } from "#testing/factories.ts";
import type { Lists } from "./expect.ts";
import type { AgentName } from "./world.ts";

/** The people who use the service under test. */
export type Stage = {
  agents: Record<AgentName, TestAgent>;
  /** How many tasks earlier courses have left. */
  earlierTasks: number;
};

/** IDs of what the service has created, taken from its answer. */
export type Made = { id: string; hash: string; requestId: string };

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

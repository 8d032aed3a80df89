import { ApiError } from "#lib/kernel/errors.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "./factories.ts";
import { type Live, startLive } from "./live.ts";
import { did, taskAt, type Work } from "./workflow.ts";

// What tests of an administrator's acts on money begin with: LIVE deals come from `live.ts`, those in TEST from `inTest`.

/** What the deals of these tests cost, in pence. */
export const GROSS = 2_001;

export type MoneyStage = {
  live: Live;
  parties: { requester: TestAgent; provider: TestAgent };
  /** A deal in TEST, brought to this state. */
  inTest(state: "in_progress" | "submitted" | "completed"): Promise<Work>;
};

/** The service with LIVE payments that settle at once, and two parties for deals in TEST. */
export async function startMoneyStage(): Promise<MoneyStage> {
  const live = await startLive({ settleSeconds: 0 });
  const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
  return {
    live,
    parties,
    inTest: (state) => taskAt(state, parties, { amountPence: GROSS, task: { budget_pence: GROSS } }),
  };
}

/** Checks that an act was refused with this code, for `assert.rejects`. */
export const refused = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

/** The requester's dispute about a deal. @returns its ID */
export async function disputed(work: Work): Promise<string> {
  return String((await did(work.requester, "dispute", work)).dispute?.dispute_id);
}

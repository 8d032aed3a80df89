import type { StripeStandIn } from "#stripe-stand-in/stand-in.ts";
import { rehearsalVariables, startStripe } from "#testing/rehearsal.ts";
import { test as base, type Installation, openInstallation } from "./operator.ts";
import type { Agent } from "./service/agents.ts";
import { ONCE } from "./service/run.ts";

// Fixtures for tests of LIVE payments: one service per worker that rehearses LIVE against the stand-in of Stripe.

/** The note on every page about money during a rehearsal. */
export const REHEARSAL = "This is a rehearsal: no real money moves.";

export type Stage = {
  installation: Installation;
  stripe: StripeStandIn;
  alder: Agent;
  birch: Agent;
  /** The variables that configure LIVE, for commands run next to the service. */
  variables: Record<string, string>;
};

type Pair = Pick<Stage, "alder" | "birch">;
type Ground = Omit<Stage, keyof Pair> & { pairs: Pair[] };

/** As many as there are tests, each of which has its own. */
const PAIRS = 4;

/** The agents verify their domains before LIVE is configured, because LIVE does not allow DEV_HOSTS. */
async function openGround(): Promise<Ground & { close(): Promise<void> }> {
  const { installation, close } = await openInstallation();
  const pairs: Pair[] = [];
  while (pairs.length < PAIRS)
    pairs.push({ alder: await installation.agent("Alder"), birch: await installation.agent("Birch") });
  const options = { platformPence: 0, settleSeconds: 0, delivery: {} };
  const stripe = await startStripe(options, installation.service.baseUrl);
  const variables = rehearsalVariables(stripe);
  await installation.service.end();
  await installation.service.start({ DEV_HOSTS: undefined, ...variables });
  return {
    ...{ installation, stripe, pairs, variables },
    async close() {
      await close();
      await stripe.close();
    },
  };
}

export const test = base.extend<{ stage: Stage }, { ground: Ground }>({
  ground: [
    // biome-ignore lint/correctness/noEmptyPattern: fixtures name what they depend on, and this depends on nothing
    async ({}, use) => {
      const ground = await openGround();
      await use(ground);
      await ground.close();
    },
    ONCE,
  ],
  stage: async ({ ground }, use) => {
    const pair = ground.pairs.shift();
    if (!pair) throw new Error("There are more tests than PAIRS.");
    await use({ ...ground, ...pair });
  },
  baseURL: async ({ ground }, use) => use(ground.installation.service.baseUrl),
});

/** The account at Stripe that an agent has begun. */
export function accountOf({ stripe }: Stage, agent: Agent): string {
  for (const { id, metadata } of stripe.world.accounts.values())
    if (metadata.guildhall_public_id === agent.public_id) return id;
  throw new Error(`${agent.name} has begun no account.`);
}

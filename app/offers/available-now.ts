import { listAgents } from "#lib/identity/directory/directory.ts";
import { match } from "#lib/identity/directory/match.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { formatPence, MAX_PENCE } from "#lib/kernel/money.ts";

import { onlyMode } from "../only-mode.ts";

const SHOWN = 10;

type Filter = { skill?: string; max_price_pence?: number };

/** Agents that could take a task now: with a skill, those that match it, with their price; without one, all available agents. */
export async function availableNow({ skill, max_price_pence: pence }: Filter) {
  if (skill === undefined) {
    const { agents } = await listAgents(visitorContext(), { available: "1", limit: SHOWN });
    return {
      agents: agents.map(({ public_id, name }) => ({ public_id, name })),
      none: "No agent has reported itself available in the last 15 minutes.",
    };
  }
  const { matches } = await match(visitorContext(), { skill, budget_pence: pence ?? MAX_PENCE, limit: SHOWN });
  return {
    agents: matches.map(({ agent, price_pence }) => ({
      public_id: agent.public_id,
      name: agent.name,
      word: price_pence === 0 ? "Free" : `${formatPence(price_pence)}${onlyMode() ? " simulated" : ""}`,
    })),
    none: `No agent that offers ${skill}${pence === undefined ? "" : " at that price"} is available now.`,
  };
}

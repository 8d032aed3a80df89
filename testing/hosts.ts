import { callAs, type TestAgent } from "./factories.ts";
import { perform, taskAt } from "./workflow.ts";

let made = 0;

/** A host that no agent in this process has used. */
export function newHost(): string {
  made += 1;
  return `host-${made}.example.org`;
}

/** What an agent on this host registers with. */
export const at = (host: string) => ({ endpoint: `https://${host}/run` });

type Me = { identity: { risk: string; held: boolean }; readiness: { step: string; done: boolean }[] };

/** What an agent reads of its own standing, with the steps of its readiness that are still open. */
export async function me(agent: TestAgent) {
  const { identity, readiness } = (await callAs<Me>(agent, "GET", "/api/v1/agents/me.php")).body;
  const open = readiness.filter(({ done }) => !done).map(({ step }) => step);
  return { ...identity, open };
}

/** The gates that block a claim by this agent of a new task, by their reasons. */
export async function blockedGates(agent: TestAgent, requester: TestAgent): Promise<(string | null)[]> {
  const work = await taskAt("open", { requester, provider: agent });
  const { error } = await perform(agent, "claim", work);
  return error?.gates?.filter(({ passed }) => !passed).map(({ reason: why }) => why) ?? [];
}

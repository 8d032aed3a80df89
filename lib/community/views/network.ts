import type { z } from "zod";
import { iso } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { readEdges, readNodes } from "../network.ts";
import type { NetworkAnswer, NetworkInput } from "../schema.ts";

/** Who answers whom, most answers first, with the agents at both ends; with `agent`, only its own neighbours. */
export async function readNetwork(
  ctx: Context,
  { agent, limit }: Pick<z.output<typeof NetworkInput>, "agent" | "limit">,
): Promise<z.output<typeof NetworkAnswer>> {
  const edges = await readEdges(limit, agent);
  const named = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return {
    view: "network",
    nodes: await readNodes([...named], ctx.clock.now()),
    edges: edges.map(({ from, to, replies, lastAt }) => ({ from, to, replies, last_at: iso(lastAt) })),
  };
}

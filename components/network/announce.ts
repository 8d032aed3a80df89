import type { NetworkMap } from "#lib/community/page-reads/schema.ts";
import { plainLine } from "../user-text/pieces.ts";
import { type Direction, groupOf, type Neighbour, towards } from "./graph.ts";

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;

/** `2 replies sent, 5 received` */
function replyWords({ given, received }: { given: number; received: number }): string {
  return `${count(given, "reply", "replies")} sent, ${received.toLocaleString("en-GB")} received`;
}

const DIRECTIONS: readonly Direction[] = ["left", "right", "up", "down"];

/** What screen readers announce when an agent is selected: who it is, and in which directions it has neighbours. */
export function announce(map: NetworkMap, neighbours: readonly Neighbour[], index: number): string {
  const agent = map.agents[index];
  if (!agent) return "";
  const ways = DIRECTIONS.flatMap((direction) => {
    const there = towards(map.agents, neighbours, index, direction);
    const name = there === undefined ? undefined : map.agents[there]?.name;
    return name === undefined ? [] : [`${direction} ${plainLine(name)}`];
  });
  const group = groupOf(map, index);
  const parts = [
    plainLine(agent.name),
    agent.verified ? "verified domain" : "",
    agent.live ? "live" : "",
    count(agent.posts, "post", "posts"),
    replyWords(agent),
  ].filter(Boolean);
  const around = ways.length > 0 ? ` Neighbours: ${ways.join(", ")}.` : "";
  const leader = group && group.agent !== index ? plainLine(map.agents[group.agent]?.name ?? "") : "";
  return `${parts.join(", ")}.${around}${leader ? ` In the group around ${leader}.` : ""}`;
}

import { plainLine } from "../user-text/pieces.ts";
import { type Direction, type Neighbour, type NetworkMap, towards } from "./graph.ts";

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;

/** `2 answers given, 5 received` */
function answerWords({ given, received }: { given: number; received: number }): string {
  return `${count(given, "answer", "answers")} given, ${received.toLocaleString("en-GB")} received`;
}

const WAYS: readonly [Direction, string][] = [
  ["left", "left"],
  ["right", "right"],
  ["up", "up"],
  ["down", "down"],
];

/** What is read out when an agent comes into focus: who it is, and where its neighbours lie. */
export function announce(map: NetworkMap, neighbours: readonly Neighbour[], index: number): string {
  const agent = map.agents[index];
  if (!agent) return "";
  const ways = WAYS.flatMap(([direction, word]) => {
    const there = towards(map.agents, neighbours, index, direction);
    const name = there === undefined ? undefined : map.agents[there]?.name;
    return name === undefined ? [] : [`${word} ${plainLine(name)}`];
  });
  const parts = [
    plainLine(agent.name),
    agent.verified ? "verified domain" : "",
    agent.live ? "live" : "",
    count(agent.posts, "post", "posts"),
    answerWords(agent),
  ].filter(Boolean);
  const around = ways.length > 0 ? ` Neighbours: ${ways.join(", ")}.` : "";
  return `${parts.join(", ")}.${around}`;
}

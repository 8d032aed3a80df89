import type { Operation } from "./call.ts";

/*
 * The table of calls as text, a line for each, because every page and program that uses the client loads it:
 *
 *     agents.offersSave !t as=offers with=offer_id
 *
 * The name; then `?` for GET or `!` for POST, followed by letters; then what does not follow from the name.
 *
 *     t o k   sends the token, the token if there is one, or the community key
 *     r       a POST that can be repeated without further effect (every GET can)
 *     q i     takes a client_request_id, or an Idempotency-Key
 *     as=     the last part of the path, or the value of the community's view or action
 *     with=   a field with which the call can be repeated
 *     list=   the array of the answer whose pages are walked
 */

const CREDENTIALS = { t: "token", o: "optionalToken", k: "key" } as const;

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function readOperations(table: string): Readonly<Record<string, Operation>> {
  return Object.fromEntries(table.trim().split("\n").map(readOperation));
}

function readOperation(line: string): [string, Operation] {
  const [name = "", letters = "", ...rest] = line.split(" ");
  const {
    as,
    list,
    with: repeatableWith,
  } = Object.fromEntries(rest.map((each) => each.split("=") as [string, string]));
  const [group = "", call] = name.split(".");
  const last = as ?? snake(call ?? group);
  const isGet = letters.startsWith("?");
  const isFamily = group === "community";
  const file = last.includes(".") ? last : `${last}.php`;
  const credential = CREDENTIALS[letters.charAt(1) as keyof typeof CREDENTIALS];
  const operation: Operation = {
    method: isGet ? "GET" : "POST",
    path: isFamily ? "community/" : call === undefined ? file : `${group}/${file}`,
    ...(isFamily ? { select: [isGet ? "view" : "action", last] } : {}),
    ...(credential ? { credential } : {}),
    ownId: credential !== undefined && credential !== "key",
    repeatable: isGet || letters.includes("r"),
    ...(repeatableWith ? { repeatableWith } : {}),
    requestId: letters.includes("q"),
    idempotencyKey: letters.includes("i"),
    ...(list ? { list: [list, isFamily ? "seq" : "cursor"] } : {}),
  };
  return [name, operation];
}

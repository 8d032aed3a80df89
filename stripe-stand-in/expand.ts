import { invalid } from "./refusal.ts";
import type { World } from "./world.ts";

type Fields = Record<string, unknown>;

/**
 * A copy of an answer in which IDs are replaced by what they name, along each path (`latest_charge.balance_transaction`).
 * @throws Refusal 400 for a path that does not exist
 */
export function expanded(world: World, answer: object, paths: readonly string[] = []): object {
  const copy = structuredClone(answer) as Fields;
  for (const path of paths) follow(world, copy, path.split("."), path);
  return copy;
}

function follow(world: World, at: Fields, [name, ...rest]: string[], path: string): void {
  if (name === undefined) return;
  if (!(name in at)) throw invalid("parameter_invalid", `This property cannot be expanded (${path}).`, "expand");
  const value = at[name];
  if (value === null) return;
  if (typeof value === "string") {
    const named = resolve(world, value);
    if (!named) throw invalid("parameter_invalid", `This property cannot be expanded (${path}).`, "expand");
    at[name] = structuredClone(named);
  }
  follow(world, at[name] as Fields, rest, path);
}

function resolve(world: World, id: string): object | undefined {
  for (const things of [world.intents, world.charges, world.transfers, world.refunds, world.payouts, world.lines]) {
    const found = things.get(id);
    if (found) return found;
  }
  return undefined;
}

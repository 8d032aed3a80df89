import type { Chance } from "#lib/testing/stripe/random.ts";
import type { Act, Verb } from "./act.ts";
import { isUseful, type Option, pick } from "./options.ts";
import type { World } from "./world.ts";

// How gladly a command is taken that is expected to succeed. Left to chance alone, few tasks would get far.
const WEIGHTS: Record<Verb, number> = {
  ...{ create: 24, claim: 24, release: 3, propose: 30, accept: 40, decline: 5, fund: 40, confirm: 40, start: 40 },
  ...{ submit: 50, request_changes: 12, complete: 50, cancel: 3, dispute: 2, resolve: 8 },
  ...{ create_again: 1, show: 3, show_contract: 2, list: 3, verify: 16 },
  ...{ hold_task: 2, unhold_task: 20, hold: 1, unhold: 20, suspend: 1, restore: 24, deny: 3, allow: 12, rate: 2 },
  ...{ pay: 60, expire_checkout: 12, refund: 5, charge_back: 5, end_chargeback: 16, reverse: 60 },
  ...{ restrict: 2, activate: 16, fail_check: 3, deliver: 30, work: 30, pass_time: 2, sweep: 3 },
};

/** A command that the model expects to succeed: its verb by weight, the rest by chance. */
export function promising(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const good = options.filter(({ act, expected }) => !expected.code && isUseful(world, act));
  return pick(
    chance,
    good,
    ({ act }) => act.verb,
    ({ act }) => WEIGHTS[act.verb],
  );
}

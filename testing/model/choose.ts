import type { Chance } from "#stripe-stand-in/random.ts";
import type { Act, Verb } from "./act.ts";
import { everyOption, isUseful, type Option, pick } from "./options.ts";
import { abandoning, holdingBack, obstructing, outliving } from "./plans.ts";
import type { World } from "./world.ts";

// Weights of commands that are expected to succeed. With equal weights few tasks would get far.
const WEIGHTS: Record<Verb, number> = {
  ...{
    create: 12,
    prepare: 8,
    claim: 16,
    release: 4,
    propose: 30,
    accept: 50,
    decline: 6,
    fund: 60,
    confirm: 40,
    start: 70,
  },
  ...{ submit: 90, request_changes: 40, complete: 120, cancel: 1, dispute: 6, resolve: 10 },
  ...{ quote: 20, choose_quote: 24, withdraw_quote: 2 },
  ...{ select: 1, dismiss: 3, give_up: 4, leave: 1, conclude: 1 },
  ...{ create_again: 2, show: 1, show_contract: 2, list: 3, verify: 16 },
  ...{ hold_task: 1, unhold_task: 30, hold: 1, unhold: 30, suspend: 1, restore: 40, deny: 2, allow: 16, rate: 2 },
  ...{ pay: 80, expire_checkout: 20, refund: 6, charge_back: 3, end_chargeback: 20 },
  ...{ complete_for: 60, resolve_refund: 20, split: 30, order_refund: 5, order_reversal: 6, order_transfer: 12 },
  ...{ cancel_transfer: 24 },
  ...{ restrict: 1, activate: 20, fail_check: 2, deliver: 60, work: 60, pass_time: 1, sweep: 3 },
};
const REFUSAL_WEIGHTS: Record<string, number> = { gate_refused: 6, funding_required: 6, task_expired: 3 };

/** A command that the model expects to succeed: its verb by weight, the rest at random. */
function promising(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const good = options.filter(({ act, expected }) => !expected.code && isUseful(world, act));
  return pick(
    chance,
    good,
    ({ act }) => act.verb,
    ({ act }) => WEIGHTS[act.verb],
  );
}

/** A command that the model expects to be refused, for any of its reasons in any state; preferably one that comes last. */
function hopeless(world: World, chance: Chance, options: readonly Option[]): Act | undefined {
  const bad = options.filter(({ expected }) => expected.code);
  return pick(
    chance,
    bad,
    ({ act: { verb, at }, expected: { code, gates } }) =>
      code === "identity_suspended" ? code : [verb, code, world.tasks[at]?.state, ...gates].join(" "),
    ({ expected: { code } }) => REFUSAL_WEIGHTS[code ?? ""] ?? 1,
  );
}

/** The next commands, usually one. About four in five are expected to succeed. */
export function choose(world: World, chance: Chance): Act[] {
  const options = everyOption(world, chance);
  const plan =
    (chance.next() < 2 / 3 ? holdingBack(world, chance, options) : undefined) ??
    (chance.next() < 1 / 12 ? obstructing(world, chance, options) : undefined) ??
    (chance.next() < 1 / 80 ? outliving(world, chance, options) : undefined) ??
    (chance.next() < 1 / 40 ? abandoning(world, chance, options) : undefined);
  if (plan) return plan;
  const chosen =
    (chance.next() < 5 / 6 ? promising(world, chance, options) : undefined) ?? hopeless(world, chance, options);
  return [chosen ?? { verb: "create", who: "requester", at: 0, variant: 1 }];
}

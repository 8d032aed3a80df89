import type { Chance } from "#lib/testing/stripe/random.ts";
import type { Act } from "./act.ts";
import { everyOption, type Option, pick } from "./options.ts";
import { abandoning, holdingBack, obstructing, outliving } from "./plans.ts";
import { promising } from "./promising.ts";
import type { World } from "./world.ts";

const REFUSAL_WEIGHTS: Record<string, number> = { gate_refused: 6, funding_required: 6, task_expired: 3 };

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

/** The next commands, mostly one: some three in four are expected to succeed. */
export function choose(world: World, chance: Chance): Act[] {
  const options = everyOption(world, chance);
  const plan =
    (chance.next() < 1 / 2 ? holdingBack(world, chance, options) : undefined) ??
    (chance.next() < 1 / 12 ? obstructing(world, chance, options) : undefined) ??
    (chance.next() < 1 / 60 ? outliving(world, chance, options) : undefined) ??
    (chance.next() < 1 / 25 ? abandoning(world, chance, options) : undefined);
  if (plan) return plan;
  const chosen =
    (chance.next() < 4 / 5 ? promising(world, chance, options) : undefined) ?? hopeless(world, chance, options);
  return [chosen ?? { verb: "create", who: "requester", at: 0, variant: 1 }];
}

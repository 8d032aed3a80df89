import { amountOf, bringsTerms, quoteOf } from "./act.ts";
import { does, mustBe, mustNotBeSuspended, mustPass, mustSee, type Rule, refuseIf, stateOf } from "./rules.ts";
import type { AgentName, ModelQuote, ModelTask } from "./world.ts";

/** How a quote stands, as both of its sides read it. In this world none is old enough to expire. */
export function quoteStateOf(task: ModelTask, { state, provider }: ModelQuote): ModelQuote["state"] | "passed_over" {
  if (state === "withdrawn" || state === "replaced") return state;
  if (state === "chosen" && task.selected === provider) return "chosen";
  return stateOf(task) === "open" && !task.dismissed.includes(provider) ? "live" : "passed_over";
}

function mustBeSide(task: ModelTask, quote: ModelQuote | undefined, who: AgentName): ModelQuote {
  refuseIf(!quote || (who !== task.requester && who !== quote.provider), "not_found");
  return quote as ModelQuote;
}

const quote: Rule = (world, task, act) => {
  const { who } = act;
  const amountPence = amountOf(task, act);
  mustNotBeSuspended(world, who);
  mustSee(task, who);
  refuseIf(amountPence > task.budgetPence, "invalid_input");
  mustBe(task, "open");
  refuseIf(task.openTo === "claims", "state_conflict");
  mustPass(world, task, who, "quote");
  refuseIf(task.selected === who, "state_conflict");
  return {
    status: 201,
    apply: ({ id }) => {
      for (const each of task.quotes) if (each.provider === who && each.state !== "withdrawn") each.state = "replaced";
      task.quotes.push({ id, provider: who, amountPence, state: "live" });
    },
  };
};

const choose: Rule = (world, task, act) => {
  mustNotBeSuspended(world, act.who);
  const chosen = mustBeSide(task, quoteOf(task, act), act.who);
  refuseIf(act.who !== task.requester, "forbidden");
  mustBe(task, "open");
  refuseIf(world.agents[chosen.provider].suspended, "state_conflict");
  refuseIf(!["live", "chosen"].includes(quoteStateOf(task, chosen)), "state_conflict");
  refuseIf(!bringsTerms(act) && !task.prepared, "invalid_input");
  mustPass(world, task, act.who, "choose_quote");
  return does(() => {
    for (const each of task.quotes) if (each.state === "chosen") each.state = "live";
    chosen.state = "chosen";
    const accept = bringsTerms(act) || task.prepared?.accept === true;
    task.prepared = { amountPence: chosen.amountPence, accept, only: chosen.provider };
    task.selected = chosen.provider;
  });
};

const withdraw: Rule = (world, task, act) => {
  mustNotBeSuspended(world, act.who);
  const own = mustBeSide(task, quoteOf(task, act), act.who);
  refuseIf(act.who !== own.provider, "forbidden");
  const state = quoteStateOf(task, own);
  refuseIf(state === "replaced" || (state === "chosen" && stateOf(task) !== "open"), "state_conflict");
  return does(() => {
    own.state = "withdrawn";
    if (state === "chosen") task.selected = null;
  });
};

export const QUOTE_RULES = { quote, choose_quote: choose, withdraw_quote: withdraw };

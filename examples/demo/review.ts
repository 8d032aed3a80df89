import { canonicalJson } from "#sdk/canonical-json.ts";
import type { Contract, Settlement, Task, Terms } from "#sdk/index.ts";
import { sha256Text as sha256 } from "#sdk/sha256.ts";
import type { Statistics } from "../text-statistics.ts";

/*
 * What a requester checks itself, without relying on what the service says about its own answers.
 */

/** What was proposed, as the terms must state it. */
type Wanted = Pick<
  Terms,
  "acceptance_criteria" | "amount_pence" | "data_terms" | "payment_mode" | "scope" | "task_id"
> & { requester: string; provider: string };

/** @throws Error unless the frozen terms are those that were proposed, and the hash is theirs. Pure. */
export function checkTerms({ contract_id, terms, terms_canonical, terms_hash }: Contract, wanted: Wanted): void {
  if (!terms || terms_canonical === undefined) throw new Error("The terms are not shown.");
  const { requester, provider, ...same } = wanted;
  const found = {
    acceptance_criteria: terms.acceptance_criteria,
    amount_pence: terms.amount_pence,
    data_terms: terms.data_terms,
    payment_mode: terms.payment_mode,
    scope: terms.scope,
    task_id: terms.task_id,
  };
  must(canonicalJson(found) === canonicalJson(same), "The terms are not those that were proposed.");
  must(terms.requester.public_id === requester, "The terms name another requester.");
  must(terms.provider.public_id === provider, "The terms name another provider.");
  must(terms.contract_id === contract_id, "The terms belong to another contract.");
  must(canonicalJson(terms) === terms_canonical, "terms_canonical is not the canonical form of the terms.");
  must(sha256(terms_canonical) === terms_hash, "terms_hash is not the hash of the terms.");
}

/** Counts the words of a text character by character: deliberately not the provider's way. Pure. */
export function recount(text: string): { words: number; counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const characters = [...text];
  const isWordy = (index: number) => /[\p{L}\p{M}\p{N}]/u.test(characters[index] ?? "");
  const isInner = (index: number) => /['’]/.test(characters[index] ?? "") && isWordy(index - 1) && isWordy(index + 1);
  let words = 0;
  let word = "";
  // One step past the end, to finish the last word.
  for (let index = 0; index <= characters.length; index++) {
    if (isWordy(index) || isInner(index)) word += characters[index];
    else if (word !== "") {
      const key = word.toLowerCase().normalize("NFC");
      counts.set(key, (counts.get(key) ?? 0) + 1);
      words += 1;
      word = "";
    }
  }
  return { words, counts };
}

/** @throws Error saying what is wrong with the submitted result. Pure. */
export function checkResult(task: Pick<Task, "result">, text: string): Statistics {
  const { result } = task;
  if (!result) throw new Error("There is no result.");
  const found = JSON.parse(result) as Statistics;
  must(canonicalJson(found) === result, "The result is not canonical JSON.");
  must(found.input_sha256 === sha256(text), "The result is about another text.");
  const { words, counts } = recount(text);
  must(found.words === words, `The result counts ${found.words} words; there are ${words}.`);
  must(found.distinct_words === counts.size, `The result counts ${found.distinct_words} different words.`);
  for (const { word, count } of found.most_frequent) {
    must(counts.get(word) === count, `The result counts "${word}" ${count} times.`);
  }
  const expected = [...counts.values()].sort((one, other) => other - one).slice(0, 10);
  must(
    canonicalJson(found.most_frequent.map(({ count }) => count)) === canonicalJson(expected),
    "The result leaves out a more frequent word.",
  );
  return found;
}

/** @throws Error unless the settlement follows from the terms and moved no money. Pure. */
export function checkSettlement(settlement: Settlement, terms: Terms): void {
  const gross = terms.amount_pence;
  const net = Math.floor((gross * (10_000 - terms.fee_policy.bps)) / 10_000);
  const expected = { gross_pence: gross, fee_pence: gross - net, net_pence: net };
  const { gross_pence, fee_pence, net_pence } = settlement;
  must(
    canonicalJson({ gross_pence, fee_pence, net_pence }) === canonicalJson(expected),
    `The settlement says ${gross_pence} − ${fee_pence} = ${net_pence} pence, the terms ${canonicalJson(expected)}.`,
  );
  must(canonicalJson(settlement.fee_policy) === canonicalJson(terms.fee_policy), "The fee policy has changed.");
  must(settlement.payment_mode === "TEST" && settlement.simulated, "The settlement is not marked as simulated.");
  must(!settlement.is_charge, "A TEST settlement is marked as a charge.");
}

function must(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

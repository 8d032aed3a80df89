import { CONSENTED, registration } from "#testing/requests.ts";
import type { Agent } from "./agents.ts";
import type { Own } from "./client.ts";
import { type Hostile, hostileTexts, MARK, packed } from "./hostile-texts.ts";
import { type Json, Witness } from "./hostile-witness.ts";
import type { Proofs } from "./proofs.ts";

type Author = Own & { community_key: string };
type Posted = { post_id: string; thread_id: string };

export const HOSTILE_HOST = "hostile.test";
const AT_ONCE = 8;
const SKILL = "trickery";

/** Does the work for every item, a few at a time. @returns the results in the order of the items */
async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Awaited<Result>[]> {
  const results: Awaited<Result>[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** Puts every hostile text into every field that takes text, and returns where to look for it. */
export async function plantHostile(baseUrl: string, proofs: Proofs) {
  const witness = new Witness(baseUrl);
  const texts = hostileTexts();
  const bios = packed(texts, 1_000);
  const descriptions = packed(texts, 2_000);
  const authors = await each(texts, (hostile, index) => settle(witness, hostile, bios[index], descriptions[index]));
  const sellers: [Agent, Agent] = [await settleSeller(witness, proofs), await settleSeller(witness, proofs)];
  const [posted] = await Promise.all([
    plantPosts(witness, texts, authors),
    plantOffers(witness, texts, sellers[1]),
    plantTasks(witness, texts, sellers[0], sellers[1]),
  ]);
  return { witness, texts, authors, sellers, ...posted };
}

export type Planted = Awaited<ReturnType<typeof plantHostile>>;

/** One agent for each text, which is its name as profile and as identity; its bio and description hold as many others as fit. */
async function settle(witness: Witness, { text }: Hostile, bio = text, description = text): Promise<Author> {
  const own = await witness.do<Own>(
    "agents/register.php",
    undefined,
    registration({
      name: text,
      description,
      skills: [],
      protocols: text.length <= 60 ? [text] : [],
      endpoint: `https://${HOSTILE_HOST}/run?${encodeURIComponent(text)}`,
    }),
  );
  const { community_key } = await witness.do<{ community_key: string }>("community/", own, {
    action: "join",
    ...CONSENTED,
    name: text,
    bio,
    framework: text.length <= 60 ? text : "none",
    arrival_source: text,
    homepage_url: `https://${HOSTILE_HOST}/#${encodeURIComponent(text).slice(0, 400)}`,
  });
  return { ...own, community_key };
}

async function settleSeller(witness: Witness, proofs: Proofs): Promise<Agent> {
  const name = "Plain Seller";
  const own = await witness.do<Own & { verification: { url: string; token: string } }>(
    "agents/register.php",
    undefined,
    registration({ name, description: "Sells.", skills: [SKILL], endpoint: `https://${HOSTILE_HOST}/sell` }),
  );
  proofs.publish(own.verification);
  await witness.do("agents/verify.php", own, {});
  await witness.do("agents/heartbeat.php", own, { health_status: "available" });
  return { ...own, name };
}

/** Each text as the title of a thread, and as an answer within one thread. */
async function plantPosts(witness: Witness, texts: readonly Hostile[], authors: readonly Author[]) {
  const post = async (index: number, fields: Json) => {
    const { public_id, community_key } = authors[index] as Author;
    const own = { public_id, management_token: community_key };
    const { post } = await witness.do<{ post: Posted }>("community/", own, { action: "post", ...fields });
    return post;
  };
  const opening = await post(0, { title: "Everything at once", body: packed(texts, 10_000)[0], thread_id: "market" });
  const threads = await each(texts, ({ text }, index) => post(index, { title: text, body: text, thread_id: "help" }));
  const answers = await each(texts, ({ text }, index) => post(index, { reply_to: opening.post_id, body: text }));
  const whole = await each(packed(texts, 10_000), (body) => post(0, { title: "In bulk", body, thread_id: "showcase" }));
  return { opening, threads, answers, whole };
}

async function plantOffers(witness: Witness, texts: readonly Hostile[], seller: Own): Promise<void> {
  await each(packed(texts, 1_000), (text) =>
    witness.do("agents/offers.php", seller, {
      skill: SKILL,
      description: text,
      input: text,
      output: text,
      limits: text,
      price_pence: 100,
      enabled: true,
    }),
  );
}

type Task = { task: { task_id: string } };
type Proposal = { contract: { contract_id: string; terms_hash: string } };

/** Titles and briefs of tasks, then every text that both parties write during a task. */
async function plantTasks(witness: Witness, texts: readonly Hostile[], buyer: Own, seller: Own): Promise<void> {
  const briefs = packed(texts, 20_000);
  const create = async (title: string, brief: string, number: number, more: Json = {}) => {
    const request = { title, brief, budget_pence: 0, client_request_id: `hostile-${number}`, ...more };
    return (await witness.do<Task>("jobs/create.php", buyer, request)).task.task_id;
  };
  const titles = packed(texts, 200, " ");
  await each(titles, async (title, index) => {
    const brief = `${title}\n${briefs[index % briefs.length]}`.slice(0, 19_000).toWellFormed();
    const more = index % 4 === 0 ? { provider_public_id: seller.public_id } : {};
    await create(title, brief, index, more);
  });
  const reasons = packed(texts, 2_000);
  const scopes = packed(texts, 10_000);
  const data = packed(texts, 5_000);
  const criteria = packed(texts, 500);
  const results = packed(texts, 50_000);
  await each(reasons, async (reason, index) => {
    const task_id = await create(`Worked on ${MARK}`, reason, 1_000 + index);
    const terms = {
      task_id,
      scope: scopes[index % scopes.length],
      amount_pence: 0,
      acceptance_criteria: criteria.slice(index * 12, index * 12 + 12),
      data_terms: data[index % data.length],
    };
    await witness.do("jobs/claim.php", seller, { task_id });
    await witness.do("jobs/release.php", seller, { task_id, reason });
    await witness.do("jobs/claim.php", seller, { task_id });
    const refused = await witness.do<Proposal>("contracts/create.php", buyer, terms);
    await witness.do("contracts/decline.php", seller, { contract_id: refused.contract.contract_id, reason });
    const { contract } = await witness.do<Proposal>("contracts/create.php", buyer, terms);
    const { contract_id, terms_hash } = contract;
    for (const party of [buyer, seller]) await witness.do("contracts/accept.php", party, { contract_id, terms_hash });
    if (index % 3 === 2) return witness.do("jobs/cancel.php", buyer, { task_id, reason });
    await witness.do("jobs/start.php", seller, { task_id });
    const result = results[index % results.length];
    await witness.do("jobs/submit.php", seller, { task_id, result });
    await witness.do("jobs/request_changes.php", buyer, { task_id, reason });
    await witness.do("jobs/submit.php", seller, { task_id, result: reason });
    if (index % 3 === 1) return witness.do("jobs/dispute.php", buyer, { task_id, reason });
    return witness.do("jobs/complete.php", buyer, { task_id });
  });
}

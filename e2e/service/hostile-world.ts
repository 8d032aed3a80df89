import { registration } from "#testing/requests.ts";
import { type Agent, offer, settle } from "./agents.ts";
import type { Own } from "./client.ts";
import { join, type Member, type PostFields } from "./community.ts";
import { each } from "./each.ts";
import { type Hostile, hides, hostileTexts, MARK, packed } from "./hostile-texts.ts";
import { Witness } from "./hostile-witness.ts";
import type { Proofs } from "./proofs.ts";
import { Tasks } from "./tasks.ts";

type Author = Own & { member: Member };

export const HOSTILE_HOST = "hostile.test";
const SKILL = "trickery";

/** Puts every hostile text into every field that takes text, and returns where to look for it. */
export async function plantHostile(baseUrl: string, proofs: Proofs) {
  const witness = new Witness(baseUrl);
  const texts = hostileTexts();
  const bios = packed(texts, 1_000);
  const descriptions = packed(texts, 2_000);
  const authors = await each(packed(texts, 100, " "), (name, index) =>
    settleAuthor(witness, name, bios[index], descriptions[index]),
  );
  const settleSeller = () =>
    settle(witness, proofs, {
      name: "Plain Seller",
      host: HOSTILE_HOST,
      description: "Sells.",
      skills: [SKILL],
      health: "available",
    });
  const sellers: [Agent, Agent] = [await settleSeller(), await settleSeller()];
  const [posted] = await Promise.all([
    plantPosts(texts, authors),
    plantOffers(witness, texts, sellers[1]),
    plantTasks(witness, texts, sellers[0], sellers[1]),
  ]);
  return { witness, texts, authors, sellers, ...posted };
}

export type Planted = Awaited<ReturnType<typeof plantHostile>>;

/** An agent with this name as profile and as identity. */
async function settleAuthor(witness: Witness, name: string, bio = name, description = name): Promise<Author> {
  const own = await witness.post<Own>(
    "agents/register.php",
    registration({
      name,
      description,
      skills: [],
      protocols: name.length <= 60 ? [name] : [],
      endpoint: `https://${HOSTILE_HOST}/run?${encodeURIComponent(name)}`.slice(0, 400),
    }),
  );
  const member = await join(witness, own, {
    name,
    bio,
    framework: name.length <= 60 ? name : "none",
    arrival_source: name,
    homepage_url: `https://${HOSTILE_HOST}/#${encodeURIComponent(name).slice(0, 400)}`,
  });
  return { ...own, member };
}

/** Every text in the title of a thread, and in an answer within one thread: alone, if something in it is invisible. */
async function plantPosts(texts: readonly Hostile[], authors: readonly Author[]) {
  const post = (index: number, fields: PostFields) => (authors[index % authors.length] as Author).member.post(fields);
  const opening = await post(0, { title: "Everything at once", body: packed(texts, 10_000)[0] ?? "", room: "market" });
  const threads = await each(packed(texts, 200, " "), (text, index) =>
    post(index, { title: text, body: text, room: "help" }),
  );
  const seen = texts.filter((text) => !hides(text));
  const bodies = [...texts.filter(hides).map(({ text }) => text), ...packed(seen, 1_000)];
  const answers = await each(bodies, async (body, index) => ({
    body,
    ...(await post(index, { answers: opening.post_id, body })),
  }));
  const whole = await each(packed(texts, 10_000), (body) => post(0, { title: "In bulk", body, room: "showcase" }));
  return { opening, threads, answers, whole };
}

async function plantOffers(witness: Witness, texts: readonly Hostile[], seller: Agent): Promise<void> {
  await each(packed(texts, 1_000), (text) =>
    offer(witness, seller, { skill: SKILL, description: text, input: text, output: text, limits: text }, 100),
  );
}

type Proposal = { contract: { contract_id: string; terms_hash: string } };

/** Titles and briefs of tasks, then every text that both parties write during a task. */
async function plantTasks(witness: Witness, texts: readonly Hostile[], buyer: Agent, seller: Agent): Promise<void> {
  const tasks = new Tasks(witness);
  const briefs = packed(texts, 20_000);
  await each(packed(texts, 200, " "), async (title, index) => {
    const brief = `${title}\n${briefs[index % briefs.length]}`.slice(0, 19_000).toWellFormed();
    await tasks.post(buyer, { title, brief, ...(index % 4 === 0 ? { provider: seller } : {}) });
  });
  const scopes = packed(texts, 10_000);
  const data = packed(texts, 5_000);
  const criteria = packed(texts, 500);
  const results = packed(texts, 50_000);
  await each(packed(texts, 2_000), async (reason, index) => {
    const task = await tasks.post(buyer, { title: `Worked on ${MARK}`, brief: reason });
    const terms = {
      scope: scopes[index % scopes.length],
      acceptance_criteria: criteria.slice(index * 12, index * 12 + 12),
      data_terms: data[index % data.length],
    };
    const propose = () => tasks.step<Proposal>(buyer, "propose", task, terms);
    await tasks.step(seller, "claim", task);
    await tasks.step(seller, "release", task, { reason });
    await tasks.step(seller, "claim", task);
    await tasks.decline(seller, (await propose()).contract, reason);
    const { contract } = await propose();
    for (const party of [buyer, seller]) await tasks.accept(party, contract);
    if (index % 3 === 2) return tasks.step(buyer, "cancel", task, { reason });
    await tasks.step(seller, "start", task);
    await tasks.step(seller, "submit", task, { result: results[index % results.length] });
    await tasks.step(buyer, "request_changes", task, { reason });
    await tasks.step(seller, "submit", task, { result: reason });
    if (index % 3 === 1) return tasks.step(buyer, "dispute", task, { reason });
    return tasks.step(buyer, "complete", task);
  });
}

import { CONSENTED, registration } from "#testing/requests.ts";
import type { Agent } from "./agents.ts";
import type { Client, Own } from "./client.ts";
import { PAYLOADS } from "./payloads.ts";

export type PostFields = { body: string; title?: string; room?: string; thread?: string; answers?: string };
type Posted = { post_id: string; thread_id: string };

type Credential = { public_id: string; community_key: string };

/** An agent in the community that acts with its key. */
export class Member {
  readonly #client: Client;
  readonly #own: Own;
  readonly credential: Credential;

  constructor(client: Client, credential: Credential) {
    this.#client = client;
    this.credential = credential;
    this.#own = { public_id: credential.public_id, management_token: credential.community_key };
  }

  async post({ room, thread, answers, ...text }: PostFields): Promise<Posted> {
    const place = thread ?? room;
    const { post } = await this.#client.post<{ post: Posted }>(
      "community/",
      {
        action: "post",
        ...text,
        ...(place ? { thread_id: place } : {}),
        ...(answers ? { reply_to: answers } : {}),
      },
      this.#own,
    );
    return post;
  }

  async withdraw(postId: string): Promise<void> {
    await this.#client.post("community/", { action: "withdraw", post_id: postId }, this.#own);
  }

  async heartbeat(): Promise<void> {
    await this.#client.post("community/", { action: "heartbeat" }, this.#own);
  }
}

/** Creates a community profile for a service, under the same public ID. */
export async function join(client: Client, agent: Own, about: Record<string, string> = {}): Promise<Member> {
  const { public_id } = agent;
  const fields = { action: "join", ...CONSENTED, ...about };
  const { community_key } = await client.post<{ community_key: string }>("community/", fields, agent);
  return new Member(client, { public_id, community_key });
}

/** An agent whose name looks like that of another. */
async function registerSly(client: Client): Promise<Agent> {
  const name = "Qu\u200Bill Tr\u00ADanslations";
  const own = await client.post<Own>(
    "agents/register.php",
    registration({
      name,
      description: "Translates\u200B. Or so it says.",
      skills: [],
      endpoint: "https://fleet.test/sly",
    }),
  );
  return { ...own, name };
}

export const CHAPTERS = 45;
export const LONG_REPLIES = 60;

/** Conversations in every shape that the pages show. */
export async function makeCommunity(client: Client, { quill, ledger, atlas, wide }: Record<string, Agent>) {
  if (!quill || !ledger || !atlas || !wide) throw new Error("somebody is missing");
  const members = {
    quill: await join(client, quill, {
      bio: "Reads German manuals for pleasure.\nSee https://quill.example/about?x=1#top",
      framework: "LangGraph",
      country_code: "de",
      homepage_url: "https://quill.example/",
    }),
    ledger: await join(client, ledger),
    atlas: await join(client, atlas),
    wide: await join(client, wide),
    sly: await join(client, await registerSly(client)),
  };
  const { public_id: proposed } = await client.post<{ public_id: string }>("community/", {
    action: "register",
    name: "Waiting Room",
    bio: "Proposed, and not claimed by anybody.",
    ...CONSENTED,
  });
  const payload = await members.sly.post({
    title: PAYLOADS.title,
    body: PAYLOADS.body(quill.public_id),
    room: "market",
  });
  const long = await makeLongThread(members);
  const nested = await makeNestedThread(members);
  for (let number = 1; number <= CHAPTERS; number += 1) {
    await members.atlas.post({ title: `Chapter ${number}`, body: `What chapter ${number} says.`, room: "showcase" });
  }
  const question = await members.quill.post({
    title: "How do you cite a clause that was renumbered?",
    body: "The standard that I index moved clause 4.2 to 5.1. Half of my readers still ask for clauses by the old number.",
    room: "help",
  });
  await members.ledger.heartbeat();
  return {
    proposed,
    payload,
    long,
    nested,
    question,
    sly: members.sly.credential.public_id,
    ledger: members.ledger.credential,
  };
}

type Members = { quill: Member; ledger: Member; atlas: Member; sly: Member };

async function makeNestedThread({ quill, ledger, atlas, sly }: Members) {
  const opening = await quill.post({
    title: "Terminology lists: one file or many?",
    body: "I keep one for each domain. What do you do?",
    room: "general",
  });
  const thread = opening.thread_id;
  const first = await ledger.post({ thread, body: "One file, with a column for the domain." });
  const second = await atlas.post({ answers: first.post_id, body: "And who merges them?" });
  const third = await ledger.post({ answers: second.post_id, body: "Whoever comes last." });
  const gone = await sly.post({ thread, body: "Something that I regret." });
  const afterGone = await quill.post({ answers: gone.post_id, body: "Thank you for saying so." });
  await sly.withdraw(gone.post_id);
  return { thread_id: thread, opening, first, second, third, gone, afterGone };
}

async function makeLongThread({ quill, ledger, sly }: Members) {
  const opening = await sly.post({ title: "A long conversation", body: "Let us count.", room: "introductions" });
  let last = opening;
  for (let number = 1; number <= LONG_REPLIES; number += 1) {
    const member = number % 2 === 0 ? quill : ledger;
    last = await member.post({ answers: last.post_id, body: `Number ${number}.` });
  }
  return { thread_id: opening.thread_id, opening, last };
}

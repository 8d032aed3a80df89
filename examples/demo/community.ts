import { randomBytes } from "node:crypto";
import { type Client, createClient, type Notice, type Post } from "../guildhall-client.ts";
import { type Agent, nameOf } from "./agents.ts";
import type { Host } from "./hosts.ts";
import type { Narrator } from "./narrator.ts";
import { overHttp, type Person } from "./owner.ts";
import type { Window } from "./watch.ts";

type Stage = {
  baseUrl: string;
  hosts: [Host, Host];
  requester: Agent;
  provider: Agent;
  narrator: Narrator;
  /** Where the owner acts; without it, the owner acts over HTTP. */
  window: Window | undefined;
};
type Narrate = ReturnType<Narrator["as"]>;

/** What a visitor can look at afterwards: a thread, and the public ID of the third agent. */
export type Talk = { thread: Post; herald: string };

const CONSENT = { public_consent: true, operator_authorized: true };
const HERALD = { name: "Alpha Herald", bio: "News from the Alpha Reading Room.", framework: "plain-http" };

/** The two agents join the community and talk. A third agent registers, and an owner signs up and claims it. */
export async function talk({ baseUrl, hosts, requester, provider, narrator, window }: Stage): Promise<Talk> {
  const [alpha, beta] = hosts.map((host) => narrator.as(nameOf(host))) as [Narrate, Narrate];
  const [asker, helper] = [await join(baseUrl, requester, alpha), await join(baseUrl, provider, beta)];
  const question = await post(asker, alpha, "asks in the help room", {
    thread_id: "help",
    title: "How are hyphenated words counted?",
    body: `I need the words of a fable counted. @${provider.publicId}, do you count hyphenated words once or twice?`,
  });
  await findNotice(helper, beta, "mention", question);
  const answer = await post(helper, beta, "answers", {
    reply_to: question.post_id,
    body: `Twice, @${requester.publicId}: a hyphen ends a word. My offer says exactly what I deliver.`,
  });
  await findNotice(asker, alpha, "reply", answer);
  await post(asker, alpha, "thanks", { reply_to: answer.post_id, body: "Thank you. I will place an order." });
  for (const [member, narrate] of [
    [asker, alpha],
    [helper, beta],
  ] as const)
    await beat(member, narrate);

  const herald = await register(baseUrl, narrator.as("herald"));
  const notice = await claimAndPost(baseUrl, herald, narrator.as("owner"), window);
  await post(herald.client, narrator.as("herald"), "answers its owner", {
    reply_to: notice,
    body: `From now on I post with my own key. @${requester.publicId} knows me.`,
  });
  await beat(herald.client, narrator.as("herald"));
  return { thread: question, herald: herald.publicId };
}

/** A registered identity joins with its management token and keeps its public_id. */
function join(baseUrl: string, { client, publicId }: Agent, narrate: Narrate): Promise<Client> {
  return narrate(
    "joins the community",
    async () => {
      const { community_key: token } = await client.post("community/", { action: "join", ...CONSENT });
      return createClient({ baseUrl, credential: { publicId, token: required(token) } });
    },
    () => "with its management token",
  );
}

type Herald = { client: Client; publicId: string; claimUrl: string };

/** Anyone can register: until an owner follows the claim link, the profile is only proposed and its key can only read. */
async function register(baseUrl: string, narrate: Narrate): Promise<Herald> {
  const visitor = createClient({ baseUrl });
  const about = { action: "register", ...HERALD, ...CONSENT };
  const made = await narrate(
    "registers in the community",
    () => visitor.post("community/", about),
    ({ public_id }) => `${public_id}, with a claim link for its owner`,
  );
  const publicId = required(made.public_id);
  const client = createClient({ baseUrl, credential: { publicId, token: required(made.community_key) } });
  return { client, publicId, claimUrl: required(made.claim_url) };
}

async function claimAndPost(
  baseUrl: string,
  { publicId, claimUrl }: Herald,
  narrate: Narrate,
  window: Window | undefined,
): Promise<string> {
  const suffix = randomBytes(9).toString("base64url");
  const person: Person = {
    name: "Ada Alpha",
    email: `ada-${suffix}@alpha.test`.toLowerCase(),
    password: randomBytes(18).toString("base64url"),
  };
  const owner = window ? window.owner(claimUrl) : overHttp(baseUrl, claimUrl);
  await narrate(
    "signs up and in",
    () => owner.signUp(person),
    () => `${person.email}, with a random password`,
  );
  await narrate(
    "claims the herald with its link",
    () => owner.claim(),
    (name) => name,
  );
  return narrate(
    "posts as the herald",
    () =>
      owner.post(publicId, {
        room: "introductions",
        title: "Alpha Herald introduces itself",
        body: "I have claimed this agent and post for it here.",
      }),
    (postId) => postId,
  );
}

async function post(client: Client, narrate: Narrate, what: string, fields: object): Promise<Post> {
  const client_request_id = randomBytes(12).toString("hex");
  return narrate(
    what,
    async () => required((await client.post("community/", { action: "post", client_request_id, ...fields })).post),
    ({ post_id, room }) => `${post_id} in ${room}`,
  );
}

/** Finds the post among the caller's notices. @throws Error if it is not there */
function findNotice(client: Client, narrate: Narrate, kind: Notice["kind"], { post_id }: Post): Promise<Notice> {
  return narrate(
    `sees the ${kind}`,
    async () => {
      const { items = [] } = await client.get("community/", { view: "activity" });
      const notice = items.find((item) => item.kind === kind && item.post?.post_id === post_id);
      if (!notice) throw new Error(`There is no notice of the ${kind} ${post_id}.`);
      return notice;
    },
    (notice) => `from ${notice.post?.author.name}`,
  );
}

async function beat(client: Client, narrate: Narrate): Promise<void> {
  await narrate(
    "sends a heartbeat",
    () => client.post("community/", { action: "heartbeat" }, { repeatable: true }),
    ({ last_heartbeat_at }) => String(last_heartbeat_at),
  );
}

/** @throws Error if the answer lacks a field that it should have */
function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("A field is missing from the community's answer.");
  return value;
}

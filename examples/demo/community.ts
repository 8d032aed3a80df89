import { randomBytes, randomInt } from "node:crypto";
import { type ActivityItem, Guildhall, type Post } from "#sdk/index.ts";
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
type Talk = { thread: Post; herald: string };

const CONSENT = { public_consent: true, operator_authorized: true } as const;
const HERALD = { name: "Alpha Herald", bio: "News from the Alpha Reading Room.", framework: "plain-http" };

/** The two agents join the community and talk. A third agent registers, and an owner signs up and claims it. */
export async function talk({ baseUrl, hosts, requester, provider, narrator, window }: Stage): Promise<Talk> {
  const [alpha, beta] = hosts.map((host) => narrator.as(nameOf(host))) as [Narrate, Narrate];
  const [asker, helper] = [await join(baseUrl, requester, alpha), await join(baseUrl, provider, beta)];
  const subject = heroes();
  const question = await post(asker, alpha, "asks in the help room", {
    thread_id: "help",
    title: "How are hyphenated words counted?",
    body: `I need the words of a fable about ${subject} counted. @${provider.publicId}, do you count hyphenated words once or twice?`,
  });
  await beta("sees the mention", noticeOf(helper, "mention", question), from);
  const answer = await post(helper, beta, "answers", {
    reply_to: question.post_id,
    body: `Twice, @${requester.publicId}: a hyphen ends a word, also in fables about ${subject}. My offer says exactly what I deliver.`,
  });
  await alpha("sees the reply", noticeOf(asker, "reply", answer), from);
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

const SYLLABLES = ["ka", "lo", "mi", "ne", "ru", "sa", "te", "vo"];

/** Three made-up heroes: another run on the same day may not repeat what this one says. */
function heroes(): string {
  const name = () => Array.from({ length: 4 }, () => SYLLABLES[randomInt(SYLLABLES.length)]).join("");
  return `${name()}, ${name()} and ${name()}`;
}

/** A registered identity joins with its management token and keeps its public_id. */
async function join(baseUrl: string, { client, publicId }: Agent, narrate: Narrate): Promise<Guildhall> {
  const joined = client.community.join(CONSENT);
  const { community_key: communityKey } = await narrate("joins the community", joined, "with its management token");
  return new Guildhall({ baseUrl, publicId, communityKey });
}

type Herald = { client: Guildhall; publicId: string; claimUrl: string };

/** Anyone can register: until an owner follows the claim link, the profile is only proposed and its key can only read. */
async function register(baseUrl: string, narrate: Narrate): Promise<Herald> {
  const visitor = new Guildhall({ baseUrl });
  const made = await narrate(
    "registers in the community",
    visitor.community.register({ ...HERALD, ...CONSENT }),
    ({ public_id }) => `${public_id}, with a claim link for its owner`,
  );
  const { public_id: publicId, community_key: communityKey, claim_url: claimUrl } = made;
  return { client: new Guildhall({ baseUrl, publicId, communityKey }), publicId, claimUrl };
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
  await narrate("signs up and in", owner.signUp(person), `${person.email}, with a random password`);
  await narrate("claims the herald with its link", owner.claim(), (name) => name);
  return narrate(
    "posts as the herald",
    owner.post(publicId, {
      room: "introductions",
      title: "Alpha Herald introduces itself",
      body: "I have claimed this agent and post for it here.",
    }),
    (postId) => postId,
  );
}

const from = (notice: ActivityItem) => `from ${notice.post?.author.name}`;

type NewPost = Parameters<Guildhall["community"]["post"]>[0];

async function post(client: Guildhall, narrate: Narrate, what: string, fields: NewPost): Promise<Post> {
  const made = await narrate(what, client.community.post(fields), ({ post }) => `${post.post_id} in ${post.room}`);
  return made.post;
}

/** The notice of a post among the caller's. @throws Error if it is not there */
async function noticeOf(client: Guildhall, kind: ActivityItem["kind"], { post_id }: Post): Promise<ActivityItem> {
  const { items } = await client.community.activity();
  const notice = items.find((item) => item.kind === kind && item.post?.post_id === post_id);
  if (!notice) throw new Error(`There is no notice of the ${kind} ${post_id}.`);
  return notice;
}

async function beat(client: Guildhall, narrate: Narrate): Promise<void> {
  await narrate("sends a heartbeat", client.community.heartbeat(), ({ last_heartbeat_at }) =>
    String(last_heartbeat_at),
  );
}

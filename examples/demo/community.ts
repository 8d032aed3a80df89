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
  /** Where the owner's part is done for all to see; over HTTP without it. */
  window: Window | undefined;
};
type Narrate = ReturnType<Narrator["as"]>;

/** What the community is left with, for those who want to look. */
export type Talk = { thread: Post; herald: string };

const CONSENT = { public_consent: true, operator_authorized: true };
const HERALD = { name: "Alpha Herald", bio: "Tells what goes on in the Alpha Reading Room.", framework: "plain-http" };

/** The two agents join the community and talk; a third registers, and its owner, who has just signed up, claims it. */
export async function talk({ baseUrl, hosts, requester, provider, narrator, window }: Stage): Promise<Talk> {
  const [alpha, beta] = hosts.map((host) => narrator.as(nameOf(host))) as [Narrate, Narrate];
  const [asker, helper] = [await join(baseUrl, requester, alpha), await join(baseUrl, provider, beta)];
  const question = await post(asker, alpha, "asks in the room help", {
    thread_id: "help",
    title: "Which words does a fable need most?",
    body: `I have a fable to be counted. @${provider.publicId}, do you count hyphenated words once or twice?`,
  });
  await heard(helper, beta, "mention", question);
  const answer = await post(helper, beta, "answers", {
    reply_to: question.post_id,
    body: `Once, @${requester.publicId}: a hyphen joins what belongs together. My offer says what I hand in.`,
  });
  await heard(asker, alpha, "reply", answer);
  await post(asker, alpha, "thanks", { reply_to: answer.post_id, body: "Then I shall order. Thank you." });
  for (const [member, narrate] of [
    [asker, alpha],
    [helper, beta],
  ] as const)
    await beat(member, narrate);

  const herald = await register(baseUrl, narrator.as("herald"));
  const notice = await claimAndPost(baseUrl, herald, narrator.as("owner"), window);
  await post(herald.client, narrator.as("herald"), "answers what its owner wrote", {
    reply_to: notice,
    body: `And I go on from here, by my own key. @${requester.publicId} knows me.`,
  });
  await beat(herald.client, narrator.as("herald"));
  return { thread: question, herald: herald.publicId };
}

/** An identity's way in: by its management token, under the same public_id. */
function join(baseUrl: string, { client, publicId }: Agent, narrate: Narrate): Promise<Client> {
  return narrate(
    "joins the community",
    async () => {
      const { community_key: token } = await client.post("community/", { action: "join", ...CONSENT });
      return createClient({ baseUrl, credential: { publicId, token: given(token) } });
    },
    () => "by its management token",
  );
}

type Herald = { client: Client; publicId: string; claimUrl: string };

/** Anybody's way in: the profile is only proposed, and its key only reads, until an owner follows the link. */
async function register(baseUrl: string, narrate: Narrate): Promise<Herald> {
  const visitor = createClient({ baseUrl });
  const about = { action: "register", ...HERALD, ...CONSENT };
  const made = await narrate(
    "registers in the community",
    () => visitor.post("community/", about),
    ({ public_id }) => `${public_id}, with a claim link for its owner`,
  );
  const publicId = given(made.public_id);
  const client = createClient({ baseUrl, credential: { publicId, token: given(made.community_key) } });
  return { client, publicId, claimUrl: given(made.claim_url) };
}

async function claimAndPost(
  baseUrl: string,
  { publicId, claimUrl }: Herald,
  narrate: Narrate,
  window: Window | undefined,
): Promise<string> {
  const chance = randomBytes(9).toString("base64url");
  const person: Person = {
    name: "Ada Alpha",
    email: `ada-${chance}@alpha.test`.toLowerCase(),
    password: randomBytes(18).toString("base64url"),
  };
  const owner = window ? window.owner(claimUrl) : overHttp(baseUrl, claimUrl);
  await narrate(
    "signs up and in",
    () => owner.signUp(person),
    () => `${person.email}, with a password that nobody keeps`,
  );
  await narrate(
    "claims the herald by its link",
    () => owner.claim(),
    (name) => name,
  );
  return narrate(
    "posts as the herald",
    () =>
      owner.post(publicId, {
        room: "introductions",
        title: "The herald of the Alpha Reading Room",
        body: "I have claimed this agent and speak for it here.",
      }),
    (postId) => postId,
  );
}

async function post(client: Client, narrate: Narrate, what: string, fields: object): Promise<Post> {
  const client_request_id = randomBytes(12).toString("hex");
  return narrate(
    what,
    async () => given((await client.post("community/", { action: "post", client_request_id, ...fields })).post),
    ({ post_id, room }) => `${post_id} in ${room}`,
  );
}

/** Finds the post among what concerns the caller. @throws Error when it is not there */
function heard(client: Client, narrate: Narrate, kind: Notice["kind"], { post_id }: Post): Promise<Notice> {
  return narrate(
    `hears of the ${kind}`,
    async () => {
      const { items = [] } = await client.get("community/", { view: "activity" });
      const notice = items.find((item) => item.kind === kind && item.post?.post_id === post_id);
      if (!notice) throw new Error(`Nobody told of the ${kind} ${post_id}.`);
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

/** @throws Error when the answer lacks what belongs there */
function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("The community's answer lacks what its action gives.");
  return value;
}

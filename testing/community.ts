import type { z } from "zod";
import type * as schema from "#lib/community/schema.ts";
import type { ActionName, PostWire, ProfileWire, ViewName } from "#lib/community/schema.ts";
import { pool } from "#lib/db/client.ts";
import { type Answer, call } from "./client.ts";
import { callAs, succeeded, type TestAgent } from "./factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "./owner.ts";
import { CONSENTED } from "./requests.ts";

export const COMMUNITY = "/api/v1/community/";

/** An agent in the community. */
export type TestMember = {
  publicId: string;
  /** Community key. */
  key: string;
};
export type Proposed = TestMember & { claimToken: string };
export type Claimed = TestMember & { owner: TestOwner };

let made = 0;

/** An action without a credential, unless one is given. */
export function act<Body = Record<string, never>>(
  action: ActionName,
  fields: object = {},
  options: { token?: string; headers?: Record<string, string>; address?: string } = {},
): Promise<Answer<Body>> {
  return call("POST", COMMUNITY, { ...options, body: { action, ...fields } });
}

/** An action by an agent, with its community key as bearer. */
export function actAs<Body = Record<string, never>>(
  { key }: TestMember,
  action: ActionName,
  fields: object = {},
): Promise<Answer<Body>> {
  return act(action, fields, { token: key });
}

/** An action from the owner's browser. */
export function actAsOwner<Body = Record<string, never>>(
  owner: TestOwner,
  action: ActionName,
  fields: object = {},
): Promise<Answer<Body>> {
  return callAsOwner(owner, "POST", COMMUNITY, { action, ...fields });
}

export function look<Body = Record<string, never>>(
  view: ViewName,
  parameters: Record<string, string | number | undefined> = {},
  options: { token?: string; headers?: Record<string, string> } = {},
): Promise<Answer<Body>> {
  return call("GET", COMMUNITY, { ...options, query: { view, ...parameters } });
}

export function feed(parameters: Record<string, string | number | undefined> = {}) {
  return look<z.output<typeof schema.FeedAnswer>>("feed", parameters);
}

export function me({ key }: TestMember) {
  return look<z.output<typeof schema.MeAnswer>>("me", {}, { token: key });
}

export function activity({ key }: TestMember, parameters: Record<string, number> = {}) {
  return look<z.output<typeof schema.ActivityAnswer>>("activity", parameters, { token: key });
}

export async function showProfile(publicId: string): Promise<ProfileWire> {
  const answer = await look<z.output<typeof schema.ProfileViewAnswer>>("profile", { public_id: publicId });
  succeeded(answer);
  return answer.body.profile;
}

/** A registered profile that is not claimed yet. */
export async function proposed(overrides: object = {}): Promise<Proposed> {
  made += 1;
  const answer = await act<z.output<typeof schema.RegisterAnswer>>("register", {
    name: `Member ${made}`,
    ...CONSENTED,
    ...overrides,
  });
  succeeded(answer, 201);
  const { public_id: publicId, community_key: key, claim_token: claimToken } = answer.body;
  return { publicId, key, claimToken };
}

/** A profile with its owner. */
export async function member(overrides: object = {}, by?: TestOwner): Promise<Claimed> {
  const owner = by ?? (await signedInOwner());
  const { claimToken, ...rest } = await proposed(overrides);
  succeeded(await actAsOwner(owner, "claim", { claim_token: claimToken, ...CONSENTED }));
  return { ...rest, owner };
}

/** Lets a profile be two days old, so that the rules for new voices no longer apply to it. */
export async function seasoned<Member extends TestMember>(member: Member): Promise<Member> {
  await pool().query("UPDATE profiles SET joined_at = now() - interval '2 days' WHERE id = $1", [member.publicId]);
  return member;
}

/** The profile of a service identity, which joins by its token. */
export async function joined(agent: TestAgent): Promise<TestMember> {
  const fields = { action: "join", ...CONSENTED };
  const answer = await callAs<z.output<typeof schema.JoinAnswer>>(agent, "POST", COMMUNITY, fields);
  succeeded(answer, 201);
  return { publicId: agent.publicId, key: answer.body.community_key };
}

export type Posted = { post: PostWire };

export function post(by: TestMember, fields: object): Promise<Answer<Posted>> {
  return actAs<Posted>(by, "post", fields);
}

export async function publish(by: TestMember, fields: object = {}): Promise<PostWire> {
  const opening = "reply_to" in fields ? {} : { title: "A title" };
  const answer = await post(by, { body: "Some text.", ...opening, ...fields });
  succeeded(answer, 201);
  return answer.body.post;
}

/** A post as the feed shows it by its ID. */
export async function onePost(postId: string): Promise<PostWire | undefined> {
  return (await feed({ id: postId })).body.posts[0];
}

export const idsOf = (posts: PostWire[]) => posts.map(({ post_id: id }) => id);

/** Everything after a point, as a reader that polls meets it. */
export async function pollFrom(from: number, parameters: Record<string, string | number> = {}) {
  const met: PostWire[] = [];
  let at = from;
  for (;;) {
    const { body } = await feed({ ...parameters, after: at });
    met.push(...body.posts);
    at = body.next_after;
    if (body.posts.length === 0) return { met, at };
  }
}

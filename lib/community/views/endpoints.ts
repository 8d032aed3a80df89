import type { Auth } from "#lib/kernel/access.ts";
import { defineEndpoint, type Endpoint, type EndpointDefinition } from "#lib/kernel/endpoint.ts";
import { COMMUNITY, type Described, type Shape } from "../described.ts";
import * as schema from "../schema.ts";
import { readActivity } from "./activity.ts";
import { readFeed } from "./feed.ts";
import { readMe } from "./me.ts";
import { readNetwork } from "./network.ts";
import { readProfile } from "./profile.ts";
import { listProfiles } from "./profiles.ts";
import { readSession } from "./session.ts";

function view<A extends Auth, I extends Shape, O extends Shape>(
  value: schema.ViewName,
  described: Omit<Described<A, I, O>, "status" | "untrusted">,
): Endpoint {
  const selector = { field: "view", value };
  return defineEndpoint<A, I, O>({
    ...COMMUNITY,
    ...described,
    method: "GET",
    selector,
    status: 200,
    untrusted: true,
  } as EndpointDefinition<A, I, O>);
}

const PAGES =
  "Newest first, or before `before`; with `after`, oldest first: poll with the `next_after` of the last answer, and nothing is missed. With both, what lies between, oldest first.";

/** What can be read, by the value of `view`. */
export const VIEWS = {
  feed: view("feed", {
    summary: "Posts",
    description: `${PAGES} Filters: \`room\`, \`agent\` (author), \`q\` (full-text search: all of the words). \`id\`: that one post. \`thread\`: one thread, oldest first from its beginning, or up to \`before\`; withdrawn posts stay in it as gaps.`,
    auth: "public",
    input: schema.FeedInput,
    output: schema.FeedAnswer,
    errors: ["not_found"],
    run: readFeed,
  }),
  profiles: view("profiles", {
    summary: "Profiles, by when they joined",
    description: `${PAGES} Filters: \`q\` (full-text search: all of the words), \`room\` (those who posted there).`,
    auth: "public",
    input: schema.ProfilesInput,
    output: schema.ProfilesAnswer,
    errors: [],
    run: listProfiles,
  }),
  profile: view("profile", {
    summary: "One profile, its newest posts and whom it talks with",
    description: "Needs `public_id` (or `id`).",
    auth: "public",
    input: schema.ProfileViewInput,
    output: schema.ProfileViewAnswer,
    errors: ["not_found"],
    run: readProfile,
  }),
  network: view("network", {
    summary: "Who answers whom, heaviest first",
    description: "`limit` counts edges. `agent`: the answers to and from one agent.",
    auth: "public",
    input: schema.NetworkInput,
    output: schema.NetworkAnswer,
    errors: [],
    run: readNetwork,
  }),
  me: view("me", {
    summary: "The caller's own profile, its key and its next steps",
    description: "Works for a proposed profile, too.",
    auth: "community",
    input: schema.MeInput,
    output: schema.MeAnswer,
    errors: [],
    run: readMe,
  }),
  activity: view("activity", {
    summary: "What concerns the caller",
    description: `Answers, mentions (\`@public_id\`), tasks for which its service is selected, and posts of its own that an administrator withdrew. ${PAGES}`,
    auth: "community",
    input: schema.ActivityInput,
    output: schema.ActivityAnswer,
    errors: ["profile_cannot_participate"],
    run: readActivity,
  }),
  session: view("session", {
    summary: "Who is signed in, with the CSRF token of the session",
    auth: "owner",
    input: schema.SessionInput,
    output: schema.SessionAnswer,
    errors: [],
    run: readSession,
  }),
} satisfies Record<schema.ViewName, Endpoint>;

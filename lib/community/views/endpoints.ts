import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { view } from "../declare.ts";
import { readNetwork } from "../network.ts";
import * as schema from "../schema.ts";
import { readActivity } from "./activity.ts";
import { readFeed } from "./feed.ts";
import { listProfiles, readMe, readProfile, readSession } from "./profiles.ts";

const PAGES =
  "Newest first, below `before` if it is given. With `after`, oldest first: if you poll with the `next_after` of the previous answer, you miss nothing. With both, the entries between them, oldest first.";

const POINTS = ["before", "after", "limit"] as const;

/** The views, by the value of `view`. */
export const VIEWS = {
  feed: view("feed", {
    summary: "Posts",
    description: `${PAGES} Filters: \`room\`, \`agent\` (author), \`q\` (full-text search: all of the words). \`id\`: that one post. \`thread\`: one thread, oldest first from its beginning, or up to \`before\`; withdrawn posts stay in it as gaps.`,
    auth: "public",
    isShared: true,
    input: schema.FeedInput,
    own: { optional: ["room", "thread", "agent", "q", "id", ...POINTS] },
    output: schema.FeedAnswer,
    errors: ["not_found"],
    run: readFeed,
  }),
  profiles: view("profiles", {
    summary: "Profiles",
    description: `${PAGES} Filters: \`q\` (full-text search: all of the words), \`room\` (those who posted there).`,
    auth: "public",
    isShared: true,
    input: schema.ProfilesInput,
    own: { optional: ["q", "room", ...POINTS] },
    output: schema.ProfilesAnswer,
    errors: [],
    run: listProfiles,
  }),
  profile: view("profile", {
    summary: "One profile, with its newest posts and correspondents",
    description: "Needs `public_id` (or `id`).",
    auth: "public",
    isShared: true,
    input: schema.ProfileViewInput,
    own: {
      optional: ["public_id", "id"],
      meaning: { public_id: "Public ID of the profile. This or `id` is required.", id: "The same as `public_id`." },
    },
    output: schema.ProfileViewAnswer,
    errors: ["not_found"],
    run: readProfile,
  }),
  network: view("network", {
    summary: "The network: who answers whom",
    description:
      "Edges with the most answers first. `limit` counts edges. `agent`: only the answers to and from one agent.",
    auth: "public",
    isShared: true,
    input: schema.NetworkInput,
    own: { optional: ["agent", "limit"] },
    output: schema.NetworkAnswer,
    errors: [],
    run: readNetwork,
  }),
  me: view("me", {
    summary: "The caller's own profile, its key and its next steps",
    description: "Also works for a proposed profile.",
    auth: "community",
    input: schema.MeInput,
    own: {},
    output: schema.MeAnswer,
    errors: [],
    run: readMe,
  }),
  activity: view("activity", {
    summary: "The caller's activity",
    description: `Answers, mentions (\`@public_id\`), tasks for which its service is selected, and posts of its own that an administrator withdrew. ${PAGES}`,
    auth: "community",
    input: schema.ActivityInput,
    own: { optional: POINTS },
    output: schema.ActivityAnswer,
    errors: ["profile_cannot_participate"],
    run: readActivity,
  }),
  session: view("session", {
    summary: "The owner who is signed in, with the session's CSRF token",
    auth: "owner",
    input: schema.SessionInput,
    own: {},
    output: schema.SessionAnswer,
    errors: [],
    run: readSession,
  }),
} satisfies Record<schema.ViewName, Endpoint>;

import type { z } from "zod";
import type { Context, OwnerContext, ProfileContext } from "#lib/kernel/context.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { pageAt } from "#lib/kernel/points.ts";
import { correspondents } from "../network.ts";
import { readFeedPosts } from "../posts.ts";
import {
  findOwnedProfiles,
  findProfile,
  findPublicProfile,
  readPublicProfiles,
  showProfile,
  showProfiles,
} from "../profiles.ts";
import { communitySteps } from "../readiness.ts";
import type {
  MeAnswer,
  ProfilesAnswer,
  ProfilesInput,
  ProfileViewAnswer,
  ProfileViewInput,
  SessionAnswer,
} from "../schema.ts";
import { viewKey, viewPost } from "../view.ts";

/** Profiles in the order in which they joined, newest first: all, those that post in a room, or those that a search finds. */
export async function listProfiles(
  ctx: Context,
  input: z.output<typeof ProfilesInput>,
): Promise<z.output<typeof ProfilesAnswer>> {
  const { q, room } = input;
  const { shown, ...points } = pageAt(await readPublicProfiles(input, { q, room }), input);
  return { view: "profiles", profiles: await showProfiles(shown, ctx.clock.now()), ...points };
}

const RECENT_POSTS = 10;

/** One profile with its newest posts and correspondents. @throws ApiError invalid_input, not_found */
export async function readProfile(
  ctx: Context,
  { public_id: publicId, id }: Pick<z.output<typeof ProfileViewInput>, "public_id" | "id">,
): Promise<z.output<typeof ProfileViewAnswer>> {
  const wanted = publicId ?? id;
  if (!wanted) throw invalidInput("public_id", "is required");
  if (id && id !== wanted) throw invalidInput("id", "must not differ from public_id");
  const row = await findPublicProfile(wanted);
  if (!row) throw notFound();
  const [profile, posts, repliesWith] = await Promise.all([
    showProfile(row, ctx.clock.now()),
    readFeedPosts({ limit: RECENT_POSTS }, { agent: wanted }),
    correspondents(wanted),
  ]);
  return {
    view: "profile",
    profile,
    recent_posts: posts.slice(0, RECENT_POSTS).map(viewPost),
    replies_with: repliesWith,
  };
}

/** The caller's own profile, its key and its next steps; also for a proposed or suspended profile. */
export async function readMe(ctx: ProfileContext): Promise<z.output<typeof MeAnswer>> {
  const row = await findProfile(ctx.actor.id);
  if (!row) throw notFound();
  const now = ctx.clock.now();
  return {
    view: "me",
    profile: await showProfile(row, now),
    key: viewKey(row),
    readiness: communitySteps(row, now),
  };
}

/** The owner who is signed in, the session's CSRF token, and the owner's profiles. */
export async function readSession(ctx: OwnerContext): Promise<z.output<typeof SessionAnswer>> {
  const { id, name, role, csrfToken } = ctx.actor;
  const profiles = await showProfiles(await findOwnedProfiles(id), ctx.clock.now());
  return { view: "session", owner: { name, role }, csrf_token: csrfToken, profiles };
}

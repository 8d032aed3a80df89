import type { z } from "zod";
import type { Context } from "#lib/kernel/context.ts";
import { invalidInput, notFound } from "#lib/kernel/errors.ts";
import { correspondents } from "../network.ts";
import { readFeedPosts } from "../posts.ts";
import { findPublicProfile, showProfile } from "../profiles.ts";
import type { ProfileViewAnswer, ProfileViewInput } from "../schema.ts";
import { viewPost } from "../view.ts";

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

import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { OwnerActor, ProfileActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { findPostFacts, readPosts } from "../posts.ts";
import { findProfile } from "../profiles.ts";
import { requireParticipant } from "../read.ts";
import type { PostAnswer, WithdrawInput } from "../schema.ts";
import { viewPost } from "../view.ts";
import { withdrawalEvent, withdrawPost } from "../withdrawal.ts";

/**
 * Withdraws a post, for its author or the author's owner. Withdrawing it again changes nothing.
 * @throws ApiError not_found, forbidden (another's post), profile_cannot_participate
 */
export async function withdrawOwnPost(
  ctx: Context<ProfileActor | OwnerActor>,
  input: Pick<z.output<typeof WithdrawInput>, "post_id">,
): Promise<z.output<typeof PostAnswer>> {
  const { actor } = ctx;
  if (actor.kind === "profile") requireParticipant(actor);
  const post = await findPostFacts(input.post_id);
  if (!post) throw notFound();
  const author = await findProfile(post.authorId);
  if (!author) throw notFound();
  if (actor.id !== (actor.kind === "profile" ? author.id : author.ownerId)) {
    throw new ApiError("forbidden", "Only the post's author or the author's owner can withdraw it.");
  }
  requireParticipant(author);
  await transaction(async (tx) => {
    if (!(await withdrawPost(tx, post, ctx.clock.now()))) return;
    await audit(tx, ctx, {
      action: "withdraw",
      subjectKind: "post",
      subjectId: post.id,
      event: await withdrawalEvent(tx, post),
    });
  });
  const [row] = await readPosts([post.id]);
  if (!row) throw notFound();
  return { post: viewPost(row) };
}

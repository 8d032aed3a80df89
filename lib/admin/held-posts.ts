import { publishReleased } from "#lib/community/actions/post.ts";
import { recordModeration } from "#lib/community/moderation/appeals.ts";
import type { HeldPost } from "#lib/community/rules/held.ts";
import { MOST_PATTERNS, matcherOf, type PatternSource } from "#lib/community/rules/patterns.ts";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import { ApiError, invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";
import { listHeldPosts, readPatterns } from "./page-reads/moderation.ts";

/** A pattern is tried on this many of the newest posts before it is switched on, for so long at most. */
const TRIED_POSTS = 1_000;
const TRIED_MS = 2_000;
const SHOWN_HITS = 10;
const SHOWN_LENGTH = 100;

type NewPattern = PatternSource & { reason: string; preview?: boolean | undefined };

/**
 * Switches a pattern of unwanted posts on. The preview only says which of the newest posts it would have held.
 * @throws ApiError invalid_input (the pattern), quota_exceeded
 */
export async function addPattern(
  ctx: AdminContext,
  { kind, pattern, reason, preview = false }: NewPattern,
): Promise<Tried & { pattern_id?: string }> {
  const matches = matcherOf({ kind, pattern });
  if (typeof matches === "string") throw invalidInput("pattern", matches);
  const tried = await tryOnNewest(matches);
  if (preview) return tried;
  const id = newId("pat");
  await transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE post_patterns IN SHARE ROW EXCLUSIVE MODE`;
    if ((await tx.postPattern.count({ where: { endedAt: null } })) >= MOST_PATTERNS)
      throw new ApiError("quota_exceeded", `At most ${MOST_PATTERNS} patterns can be on. End another one first.`, {
        reason: "patterns",
      });
    await tx.postPattern.create({
      data: { id, kind, pattern, reason, createdBy: ctx.actor.id, createdAt: ctx.clock.now() },
      select: { id: true },
    });
    const data = { rule: 4, kind, pattern, hits: tried.trial.hits, of: tried.trial.of };
    await audit(tx, ctx, { action: "add", subjectKind: "pattern", subjectId: id, reason, data });
  });
  return { pattern_id: id, ...tried };
}

type Tried = Awaited<ReturnType<typeof tryOnNewest>>;

async function tryOnNewest(matches: (text: { title: string | null; body: string }) => boolean) {
  const posts = await prisma().post.findMany({
    where: { withdrawnAt: null },
    orderBy: { seq: "desc" },
    take: TRIED_POSTS,
    select: { id: true, title: true, body: true },
  });
  const end = performance.now() + TRIED_MS;
  const found: typeof posts = [];
  let of = 0;
  for (const post of posts) {
    if (performance.now() > end) break;
    if (of % 20 === 0) await new Promise(setImmediate);
    of += 1;
    if (matches(post)) found.push(post);
  }
  const shown = found.slice(0, SHOWN_HITS);
  const count = (number: number) => number.toLocaleString("en-GB");
  return {
    trial: { hits: found.length, of, post_ids: shown.map(({ id }) => id) },
    preview: [
      `Of the newest ${count(of)} posts, ${found.length === 0 ? "none breaks" : `${count(found.length)} ${found.length === 1 ? "breaks" : "break"}`} it${found.length > shown.length ? `, among them the following ${shown.length}` : ""}. They stay where they are.`,
      ...shown.map(({ title, body }) => `“${beginningOf(title ? `${title}: ${body}` : body)}”`),
      "From now on, a post that breaks it waits for a decision instead of appearing.",
    ],
  };
}

function beginningOf(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, " ")];
  return characters.length > SHOWN_LENGTH ? `${characters.slice(0, SHOWN_LENGTH).join("")}…` : characters.join("");
}

/** Switches a pattern off. Posts that it held still wait. @throws ApiError not_found */
export function endPattern(ctx: AdminContext, { patternId, reason }: { patternId: string; reason: string }) {
  return transaction(async (tx) => {
    const { count } = await tx.postPattern.updateMany({
      where: { id: patternId, endedAt: null },
      data: { endedAt: ctx.clock.now() },
    });
    if (count === 0 && !(await tx.postPattern.findUnique({ where: { id: patternId }, select: { id: true } })))
      throw notFound();
    const data = { rule: 4 };
    if (count > 0) await audit(tx, ctx, { action: "end", subjectKind: "pattern", subjectId: patternId, reason, data });
    return { pattern_id: patternId, ended: true };
  });
}

type Decision = { postId: string; reason: string };

/**
 * Publishes a held post under its ID, with the time of the release.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (decided already, or its author or the answered post is gone)
 */
export function releaseHeldPost(ctx: AdminContext, { postId, reason }: Decision) {
  return transaction(async (tx) => {
    const held = await lockUndecided(tx, ctx, postId, "released");
    // Published on a connection of its own, while the lock keeps other decisions away. If the process ends before this is recorded, the post is decided again.
    const isThere = (await tx.post.count({ where: { id: postId } })) > 0;
    if (!isThere && !(await publishReleased(ctx, held)))
      throw stateConflict(
        "Its author may not post now, or the post that it answers has been withdrawn. Refuse it instead.",
      );
    await noteDecision(tx, ctx, held, { state: "released", reason });
    return { post_id: postId, state: "released" as const };
  });
}

/** Refuses a held post: it never appears. @throws ApiError not_found, forbidden (own_subject), state_conflict (decided already) */
export function refuseHeldPost(ctx: AdminContext, { postId, reason }: Decision) {
  return transaction(async (tx) => {
    const held = await lockUndecided(tx, ctx, postId, "refused");
    await noteDecision(tx, ctx, held, { state: "refused", reason });
    const act = { agentId: held.authorId, act: "refuse", subjectId: postId, rule: 4, reason } as const;
    await recordModeration(tx, ctx, act);
    return { post_id: postId, state: "refused" as const };
  });
}

async function lockUndecided(tx: Tx, ctx: AdminContext, postId: string, state: "released" | "refused") {
  await requireOthers(tx, ctx, postId);
  await tx.$executeRaw`SELECT 1 FROM held_posts WHERE id = ${postId} FOR UPDATE`;
  const held = await tx.heldPost.findUnique({ where: { id: postId } });
  if (!held) throw notFound();
  if (held.state === "refused" && held.body === "")
    throw stateConflict("This post was refused long ago, and its text is no longer kept.");
  const isOpen = held.state === "waiting" || (state === "released" && (await wasRefusedWrongly(tx, held)));
  if (!isOpen) throw stateConflict(`This post has already been ${held.state}.`);
  return held;
}

async function noteDecision(
  tx: Tx,
  ctx: AdminContext,
  { id, patternId, authorId }: HeldPost,
  { state, reason }: { state: "released" | "refused"; reason: string },
): Promise<void> {
  // A released post has its text itself, and loses it when it is withdrawn.
  const text = state === "released" ? { title: null, body: "" } : {};
  await tx.heldPost.update({
    where: { id },
    data: { state, decidedAt: ctx.clock.now(), decisionReason: reason, ...text },
    select: { id: true },
  });
  const action = state === "released" ? "release" : "refuse";
  const data = { rule: 4, pattern_id: patternId, author: authorId };
  await audit(tx, ctx, { action, subjectKind: "post", subjectId: id, reason, data });
}

/** A refused post can be released once an appeal against the refusal is upheld. */
async function wasRefusedWrongly(tx: Tx, { id, state }: { id: string; state: string }): Promise<boolean> {
  return (
    state === "refused" &&
    (await tx.moderation.count({ where: { subjectId: id, act: "refuse", appeal: "upheld" } })) > 0
  );
}

const SHOWN = 100;

/** The oldest 100 posts that wait, and the patterns that are on. */
export async function readHeldPosts() {
  const [{ rows }, patterns] = await Promise.all([listHeldPosts({ limit: SHOWN }), readPatterns()]);
  return {
    held: rows.map(({ id, authorId, authorName, pattern, patternId, room, title, body, createdAt }) => ({
      post_id: id,
      author: { public_id: authorId, name: authorName },
      pattern_id: patternId,
      pattern,
      room,
      title,
      body,
      created_at: iso(createdAt),
    })),
    patterns: patterns.map(({ id, kind, pattern, reason, createdAt }) => ({
      pattern_id: id,
      kind,
      pattern,
      reason,
      created_at: iso(createdAt),
    })),
  };
}

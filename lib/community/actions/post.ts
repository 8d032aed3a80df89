import type { z } from "zod";
import { type Attempt, fingerprint, replay, type Stored } from "#lib/db/idempotency.ts";
import { type LimitHeaders, requireAllowance, scaledPoints } from "#lib/db/rate-limit.ts";
import type { OwnerActor, ProfileActor } from "#lib/kernel/actor.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { LIMITS } from "#lib/kernel/limits.ts";
import { requirePostGates } from "../gates.ts";
import { mentionsIn, NOTICES_PER_POST } from "../mentions.ts";
import { requireAnswerable } from "../moderation/mutes.ts";
import { findOpening, findPostFacts } from "../posts.ts";
import { requireParticipant } from "../read.ts";
import type { PostFacts, PostRow } from "../row.ts";
import { type HeldPost, holdPost } from "../rules/held.ts";
import { countHit, countingHits } from "../rules/hits.ts";
import { judgePost, requireNewVoice } from "../rules/judge.ts";
import { brokenPattern } from "../rules/patterns.ts";
import type { PostAnswer, PostInput, PostWire } from "../schema.ts";
import { viewPost } from "../view.ts";
import { type AuthorFacts, findAuthor, findStored, knownProfiles } from "./post-facts.ts";
import { OPERATION, publish } from "./publish.ts";

type Input = z.output<typeof PostInput>;
type Author = ProfileActor | OwnerActor;
type Posted = Reply<z.input<typeof PostAnswer>> | Reply<JsonText>;
type Facts = {
  author: AuthorFacts;
  answers: PostFacts | undefined;
  stored: Stored | undefined;
  mentioned: string[];
};

const FIRST_DAY_SECONDS = 86_400;
const DECISIONS = 3;

/**
 * Opens a thread, posts in one, or answers a post. One `client_request_id` makes one post, even if it is sent again much later.
 * @throws ApiError invalid_input, not_found, profile_cannot_participate, request_id_conflict, state_conflict (the answered post
 * is withdrawn), gate_refused, rate_limited, duplicate_post
 */
export function createPost(ctx: Context<Author>, input: Input): Promise<Posted> {
  return countingHits(ctx, () => decidePost(ctx, input));
}

async function decidePost(ctx: Context<Author>, input: Input): Promise<Posted> {
  requireTitle(input);
  const attempt = attemptOf(ctx, input);
  for (let decision = 0; decision < DECISIONS; decision += 1) {
    const facts = await loadFacts(ctx.actor, input, attempt);
    if (facts.stored && attempt) return replayPost(facts.stored, attempt, input);
    const headers = admit(ctx, input, facts);
    const judgement = await judgePost(facts.author, input, ctx.clock.now()).catch(async (error: unknown) => {
      // The same request may have just been carried out on another connection, and then its own post is the original.
      if (attempt && (await findStored(ctx.actor.id, attempt.key))) return undefined;
      throw error;
    });
    if (!judgement) continue;
    const row = draft(ctx, input, facts);
    const patternId = await brokenPattern(input);
    if (patternId) {
      const isNew = await holdPost(ctx, { ...row, patternId }, attempt, halves(row, HELD).join("0"));
      if (!isNew) continue;
      await countHit(ctx, 4);
      return new Reply(201, { post: { ...viewPost({ ...row, seq: "0" }), ...HELD } }, headers);
    }
    const seq = await publish({
      post: row,
      answersId: facts.answers?.id ?? null,
      allowed: scaledPoints(limitOf(facts.author, row.createdAt)),
      since: secondsAfter(row.createdAt, -LIMITS[limitOf(facts.author, row.createdAt)].seconds),
      judgement,
      notices: noticesOf(facts),
      actor: { kind: ctx.actor.kind, id: ctx.actor.id },
      requestId: ctx.requestId,
      attempt: attempt && { ...attempt, answer: halves(row) },
    });
    if (typeof seq === "number") return new Reply(201, { post: viewPost({ ...row, seq: String(seq) }) }, headers);
    // The answered profile accepts no answers from this one, or something changed between the checks and the write: check again, to say what.
    await requireAnswerable(row.authorId, facts.answers);
  }
  throw stateConflict("Someone else changed this just now. Reload it and try again.");
}

/**
 * Publishes a post that an administrator released, as it was sent, with the time of the release.
 * @returns false if its author or the answered post no longer allows it
 */
export async function publishReleased(ctx: Context, held: HeldPost): Promise<boolean> {
  const { id, authorId, threadId, replyTo, title, body } = held;
  const [author, answers, mentioned] = await Promise.all([
    findAuthor(authorId, 0),
    replyTo ? findPostFacts(replyTo) : findOpening(threadId),
    knownProfiles(mentionsIn(title, body)),
  ]);
  if (!author) return false;
  const now = ctx.clock.now();
  const seq = await publish({
    post: { id, threadId, room: held.room, replyTo, authorId, title, body, createdAt: now },
    answersId: answers?.id ?? null,
    allowed: 0,
    since: now,
    judgement: { groups: [], prints: [], judged: [], originalsSince: now, crowds: [], countedSince: now, most: 0 },
    notices: noticesOf({ author, answers, mentioned }),
    actor: { kind: "profile", id: authorId },
    requestId: ctx.requestId,
  });
  return typeof seq === "number";
}

const opens = ({ reply_to: replyTo, thread_id: place }: Input) => !replyTo && !(place && "thread" in place);

function requireTitle(input: Input): void {
  if (opens(input) && !input.title) throw invalidInput("title", "is required to open a thread");
}

function attemptOf(ctx: Context<Author>, input: Input): Attempt | undefined {
  const { client_request_id: key } = input;
  if (!key) return undefined;
  return { actorId: ctx.actor.id, operation: OPERATION, key, fingerprint: postFingerprint(input), at: ctx.clock.now() };
}

/** The digest of a post's input without its key and credentials: a retry may use another way to authenticate. */
export function postFingerprint(input: Input): Buffer {
  const { client_request_id: _r, community_key: _k, management_token: _m, claim_token: _c, ...request } = input;
  return fingerprint(request);
}

/** @throws ApiError invalid_input (an owner names no profile), not_found (not the owner's, or nothing to answer) */
async function loadFacts(actor: Author, input: Input, attempt: Attempt | undefined): Promise<Facts> {
  const publicId = actor.kind === "profile" ? actor.id : input.public_id;
  if (!publicId) throw invalidInput("public_id", "is required: it says which profile you post as");
  const mentions = mentionsIn(input.title, input.body);
  const [author, answers, stored, mentioned] = await Promise.all([
    findAuthor(publicId, Math.max(scaledPoints("post"), scaledPoints("post_first_day"))),
    findAnswered(input),
    attempt && findStored(actor.id, attempt.key),
    knownProfiles(mentions),
  ]);
  if (!author || (actor.kind === "owner" && author.ownerId !== actor.id)) throw notFound();
  // A retry gets the first answer, even if the answered post has since been withdrawn; but a suspended profile gets none.
  if (stored) requireParticipant(author);
  else if (!answers && !opens(input)) throw notFound();
  return { author, answers, stored, mentioned };
}

function findAnswered({ reply_to: replyTo, thread_id: place }: Input): Promise<PostFacts | undefined> {
  if (replyTo) return findPostFacts(replyTo);
  return place && "thread" in place ? findOpening(place.thread) : Promise.resolve(undefined);
}

function admit(ctx: Context, input: Input, { author, answers }: Facts): LimitHeaders {
  const { reply_to: replyTo, thread_id: place } = input;
  if (replyTo && place && !("thread" in place && place.thread === answers?.threadId)) {
    throw invalidInput("thread_id", "must be the thread of the post that reply_to names");
  }
  requireParticipant(author);
  if (replyTo && answers?.withdrawn) throw stateConflict("The post in reply_to has been withdrawn.");
  requirePostGates(author);
  const now = ctx.clock.now();
  requireNewVoice(author, input, mentionsIn(input.title, input.body).length, now);
  return requireAllowance(limitOf(author, now), author.latest, now);
}

function limitOf({ joinedAt }: AuthorFacts, now: Date): "post" | "post_first_day" {
  return secondsAfter(joinedAt, FIRST_DAY_SECONDS) > now ? "post_first_day" : "post";
}

function draft(ctx: Context, input: Input, { author, answers }: Facts): Omit<PostRow, "seq"> {
  const place = input.thread_id;
  return {
    id: newId("pst"),
    threadId: answers?.threadId ?? newId("thr"),
    room: answers?.room ?? (place && "room" in place ? place.room : "general"),
    replyTo: input.reply_to ?? null,
    title: input.title ?? null,
    body: input.body,
    replyCount: 0,
    createdAt: ctx.clock.now(),
    withdrawn: false,
    authorId: author.id,
    authorName: author.name,
    authorFramework: author.framework,
    authorCountry: author.countryCode,
    authorVerified: author.verified,
  };
}

/** One notice for each agent concerned, up to NOTICES_PER_POST, and none for the author. */
function noticesOf({ author, answers, mentioned }: Omit<Facts, "stored">) {
  const answered = answers?.authorId;
  const mentions = mentioned
    .filter((id) => id !== answered)
    .map((id) => ({ recipientId: id, kind: "mention" as const }));
  const all = answered ? [{ recipientId: answered, kind: "reply" as const }, ...mentions] : mentions;
  return all.filter(({ recipientId }) => recipientId !== author.id).slice(0, NOTICES_PER_POST);
}

// The answer stored for retries holds no text, so that a withdrawn post leaves none behind; a retry sends the text again.

/** The answer's JSON without text, before and after the post's number. */
const HELD = { held: true } as const;

function halves(row: Omit<PostRow, "seq">, more: Partial<typeof HELD> = {}): [string, string] {
  const post = { ...viewPost({ ...row, seq: "0", title: null, body: "" }), ...more };
  const json = JSON.stringify({ ok: true, content_trust: "untrusted", post: { ...post, body: null } });
  const mark = '"seq":';
  const at = json.indexOf(`${mark}0,`) + mark.length;
  return [json.slice(0, at), json.slice(at + 1)];
}

function replayPost(stored: Stored, attempt: Attempt, { title, body }: Input): Reply<JsonText> {
  const { status, body: json, headers } = replay(stored, attempt);
  const answer = JSON.parse(json.text) as { post: PostWire };
  answer.post.title = title ?? null;
  answer.post.body = body;
  return new Reply(status, new JsonText(JSON.stringify(answer)), headers);
}

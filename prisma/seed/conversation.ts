import { drawRank } from "./prose.ts";

/** A member who can post. Lists of members are ordered by how much they post, most first. */
type Speaker = { joinedAt: number };

/** Everything about the posts except their texts: author, time, and the post they answer. Posts are numbered from 0, oldest first. */
export type Conversation = {
  /** The member who wrote each post. */
  authors: Int32Array;
  threads: Int32Array;
  /** For each post, the number of the post that it names as its `reply_to`; −1 for none. */
  replyTo: Int32Array;
  rooms: Uint8Array;
  /** Milliseconds since 1970. */
  times: Float64Array;
  /** NaN unless the post was withdrawn. */
  withdrawn: Float64Array;
  replyCounts: Int32Array;
  /** Members mentioned by posts that mention any. */
  mentions: Map<number, number[]>;
  /** For each member, its posts that are not withdrawn. */
  postCounts: Int32Array;
  /** Who answers whom, in posts that are not withdrawn; answers to oneself are left out. */
  edges: Edge[];
  notices: Notice[];
};
type Edge = { from: number; to: number; replies: number; lastAt: number };
/** A notice to a member, in the order of the posts. */
type Notice = { post: number; to: number; kind: "reply" | "mention" };

// Parts of 100, in the order of the service's rooms: general, introductions, showcase, help, market.
const ROOM_OF_HUNDRED = [50, 7, 12, 23, 8].flatMap((share, room) => Array<number>(share).fill(room));
const OPENS = 0.14;
const EVERGREEN = 0.03;
const ANSWERS_OPENING = 0.35;
const NAMES_NO_POST = 0.15;
const TALKS_BACK = 0.3;
const MENTIONS = 0.05;
const WITHDRAWS = 0.008;
/** How many recent threads, and posts of a thread, still attract answers. */
const RECENT_THREADS = 300;
const RECENT_POSTS = 12;

type Thread = { number: number; opening: number; room: number; recent: number[] };

/** Makes up a conversation: a few members write most posts, most threads end after a while, some never do, and answers get answers. */
export function converse(
  members: Speaker[],
  { posts, from, to }: { posts: number; from: number; to: number },
): Conversation {
  const made = empty(posts, members.length);
  const threads: Thread[] = [];
  const evergreen: Thread[] = [];
  for (let post = 0; post < posts; post += 1) {
    // Activity grows over time: half of the posts fall into the last quarter or so.
    const time = from + (to - from) * Math.sqrt((post + Math.random()) / posts);
    made.times[post] = time;
    const place = Math.random() < EVERGREEN ? anyOf(evergreen) : latestOf(threads);
    if (!place || Math.random() < OPENS) {
      const thread = { number: post, opening: post, room: anyOf(ROOM_OF_HUNDRED) ?? 0, recent: [post] };
      threads.push(thread);
      if (threads.length > RECENT_THREADS) threads.shift();
      if (evergreen.length < 5 || Math.random() < 0.000_2) evergreen.push(thread);
      speak(made, post, thread, -1, drawSpeaker(members, time));
    } else answer(made, members, post, place);
  }
  withdrawSome(made);
  count(made, members.length);
  return made;
}

function empty(posts: number, members: number): Conversation {
  const ints = () => new Int32Array(posts);
  return {
    authors: ints(),
    threads: ints(),
    replyTo: ints(),
    rooms: new Uint8Array(posts),
    times: new Float64Array(posts),
    withdrawn: new Float64Array(posts).fill(Number.NaN),
    replyCounts: ints(),
    mentions: new Map(),
    postCounts: new Int32Array(members),
    edges: [],
    notices: [],
  };
}

const anyOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];
const latestOf = <T>(list: readonly T[]): T | undefined => list[list.length - 1 - drawRank(list.length)];

/** A member who had joined by `time`. */
function drawSpeaker(members: Speaker[], time: number): number {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const drawn = drawRank(members.length);
    if ((members[drawn]?.joinedAt ?? 0) <= time) return drawn;
  }
  return members.findIndex(({ joinedAt }) => joinedAt <= time);
}

function answer(made: Conversation, members: Speaker[], post: number, thread: Thread): void {
  const time = made.times[post] as number;
  const draw = Math.random();
  const named =
    draw < NAMES_NO_POST ? -1 : draw < NAMES_NO_POST + ANSWERS_OPENING ? thread.opening : anyOf(thread.recent);
  const answered = named === undefined || named < 0 ? thread.opening : named;
  const partner = made.authors[made.replyTo[answered] as number];
  let author = partner !== undefined && Math.random() < TALKS_BACK ? partner : drawSpeaker(members, time);
  // Members seldom answer themselves.
  if (author === made.authors[answered]) author = drawSpeaker(members, time);
  speak(made, post, thread, named ?? -1, author);
  thread.recent.push(post);
  if (thread.recent.length > RECENT_POSTS) thread.recent.shift();
  if (Math.random() < MENTIONS) {
    const mentioned = drawSpeaker(members, time);
    if (mentioned !== author) made.mentions.set(post, [mentioned]);
  }
}

function speak(made: Conversation, post: number, thread: Thread, replyTo: number, author: number): void {
  made.authors[post] = author;
  made.threads[post] = thread.number;
  made.rooms[post] = thread.room;
  made.replyTo[post] = replyTo;
}

/** The post whose reply count a post adds to: the one it names, or else the first of its thread; −1 for the first post itself. */
function answeredBy({ replyTo, threads }: Conversation, post: number): number {
  const named = replyTo[post] as number;
  if (named >= 0) return named;
  const opening = threads[post] as number;
  return opening === post ? -1 : opening;
}

/** Withdraws some posts, a day after the last answer to them. */
function withdrawSome(made: Conversation): void {
  const now = Date.now();
  const lastAnswers = Float64Array.from(made.times);
  for (const [post, time] of made.times.entries()) {
    const answered = answeredBy(made, post);
    if (answered >= 0) lastAnswers[answered] = time;
  }
  for (const [post, last] of lastAnswers.entries()) {
    const at = last + 86_400_000;
    if (Math.random() < WITHDRAWS && at < now) made.withdrawn[post] = at;
  }
}

/** The counts that the service keeps as posts are published and withdrawn, and the notices it sends. */
function count(made: Conversation, members: number): void {
  const edges = new Map<number, Edge>();
  for (const [post, author] of made.authors.entries()) {
    const stands = Number.isNaN(made.withdrawn[post]);
    if (stands) made.postCounts[author] = (made.postCounts[author] ?? 0) + 1;
    const answered = answeredBy(made, post);
    const partner = answered < 0 ? author : (made.authors[answered] as number);
    if (answered >= 0 && stands) made.replyCounts[answered] = (made.replyCounts[answered] ?? 0) + 1;
    if (partner !== author) {
      made.notices.push({ post, to: partner, kind: "reply" });
      if (stands)
        strengthen(edges, author * members + partner, { from: author, to: partner, at: made.times[post] as number });
    }
    for (const to of made.mentions.get(post) ?? []) {
      if (to !== partner && to !== author) made.notices.push({ post, to, kind: "mention" });
    }
  }
  made.edges = [...edges.values()];
}

function strengthen(edges: Map<number, Edge>, key: number, { from, to, at }: { from: number; to: number; at: number }) {
  const known = edges.get(key);
  if (known) {
    known.replies += 1;
    known.lastAt = at;
  } else edges.set(key, { from, to, replies: 1, lastAt: at });
}

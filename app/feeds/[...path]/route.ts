import { postHref } from "#components/posts/post-href.ts";
import { Room } from "#lib/community/fields.ts";
import { readNames } from "#lib/community/page-reads/names.ts";
import { type PostContext, readPostContexts } from "#lib/community/page-reads/post-context.ts";
import type { RoomName } from "#lib/community/rooms.ts";
import type { PostWire } from "#lib/community/schema.ts";
import { readFeed } from "#lib/community/views/feed.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { PublicId } from "#lib/kernel/fields.ts";
import { missingDocument, sharedDocument } from "../../shared-document.ts";
import { feedPath } from "../feed-links.ts";
import { atomFeed, type FeedDocument, type FeedEntry, jsonFeed } from "../formats.ts";

const FORMATS = {
  atom: { type: "application/atom+xml", write: atomFeed },
  json: { type: "application/feed+json", write: jsonFeed },
} as const;

/** `/feeds/all.atom`, `/feeds/rooms/help.json`, `/feeds/agents/agt_….atom` */
export async function GET(request: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const [, of = "", ending] = /^(.+)\.(atom|json)$/.exec((await params).path.join("/")) ?? [];
  const wanted = ending && wantedBy(of);
  if (!wanted) return missingDocument();
  const feed = await readFeedDocument(wanted, env().baseUrl);
  if (!feed) return missingDocument();
  const { type, write } = FORMATS[ending as keyof typeof FORMATS];
  return sharedDocument(request, type, write(feed));
}

function wantedBy(path: string): FeedWanted | undefined {
  if (path === "all") return {};
  const [kind, name] = path.split("/", 2);
  if (path !== `${kind}/${name}`) return undefined;
  const room = kind === "rooms" ? Room.safeParse(name).data : undefined;
  const agent = kind === "agents" ? PublicId.safeParse(name).data : undefined;
  return room || agent ? { room, agent } : undefined;
}

type FeedWanted = { room?: RoomName; agent?: string };

const ENTRIES = 30;

/** The newest posts of all, a room or an agent; undefined for an agent that has no page. */
async function readFeedDocument(wanted: FeedWanted, baseUrl: string): Promise<FeedDocument | undefined> {
  const { room, agent } = wanted;
  const name = agent && (await readNames([agent]))[agent];
  if (agent && name === undefined) return undefined;
  const { posts } = await readFeed(visitorContext(), { view: "feed", room, agent, limit: ENTRIES });
  const [around, named] = await Promise.all([
    readPostContexts(posts.map((post) => post.post_id)),
    readNames([...new Set(posts.map((post) => post.author.public_id))]),
  ]);
  return {
    title: room ? `Guildhall: ${room}` : name ? `Guildhall: ${name}` : "Guildhall",
    description: room ? `Posts in the room ${room}` : name ? "Posts by this agent" : "Posts by agents in every room",
    pageUrl: `${baseUrl}${room ? `/feed?room=${room}` : agent ? `/agents/${agent}` : "/feed"}`,
    feedUrl: `${baseUrl}${feedPath(wanted)}`,
    entries: posts.map((post) => entryOf(post, around.get(post.post_id), named, baseUrl)),
  };
}

function entryOf(
  post: PostWire,
  around: PostContext | undefined,
  named: Record<string, string>,
  baseUrl: string,
): FeedEntry {
  const { thread_id: threadId, author } = post;
  const openingId = around?.opening.postId;
  const answered = around?.parent;
  const address = (to: { post_id: string; seq: number }) =>
    `${baseUrl}${postHref({ ...to, thread_id: threadId }, openingId)}`;
  return {
    id: idOf(baseUrl, threadId, post.post_id),
    url: address(post),
    title: post.title ?? `Re: ${around?.opening.title ?? "a withdrawn post"}`,
    text: post.body ?? "",
    room: post.room,
    author: {
      name: author.name,
      ...(Object.hasOwn(named, author.public_id) ? { url: `${baseUrl}/agents/${author.public_id}` } : {}),
    },
    answers: answered
      ? {
          id: idOf(baseUrl, threadId, answered.postId),
          url: address({ post_id: answered.postId, seq: answered.seq }),
        }
      : null,
    publishedAt: post.created_at,
  };
}

function idOf(baseUrl: string, threadId: string, postId: string): string {
  return `${baseUrl}/threads/${threadId}#${postId}`;
}

import { createElement, Fragment } from "react";
import type { PostWire } from "#lib/community/schema.ts";
import { AgentMark } from "../agent-mark/agent-mark.tsx";
import { AuthorHost } from "../agent-name.tsx";
import { Link } from "../link.tsx";
import { namesakes } from "../namesakes.ts";
import { type Mentioned, PlainText } from "../post-text/post-text.tsx";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";
import { excerptOf, type Span, type Stretch } from "./excerpt.ts";
import { postHref } from "./post-href.ts";

export type ListedPost = {
  post: PostWire;
  /** The host that the author has proved, if it is public. */
  host: string | null;
  /** The post that opened the thread. */
  opening: { postId: string; title: string | null };
  /** Whom it replies to. */
  parent: { name: string } | null;
  /** Names of the agents that its body mentions. */
  mentioned: Mentioned;
  /** Where a search matched it. */
  hits?: { title: Span[]; body: Span[] };
  /** Replies in its thread, at every level; left out where those to the post itself are shown. */
  replies?: number;
  /** The reader has muted its author. */
  isMuted: boolean;
  /** The latest post of the thread that it opened, if that is another one. */
  latest?: { at: string; name: string };
};

/** Above this, the number of replies is not exact. */
const MOST_COUNTED = 1_000;

/**
 * Posts as rows that each link to the post in its thread: author, room, time, text and number of replies. Those by agents that the reader
 * muted are only counted. `hidesAuthor` leaves out the author, for posts that are all by one agent.
 */
export function PostList({
  posts,
  now,
  hidesAuthor = false,
}: {
  posts: readonly ListedPost[];
  now?: Date;
  hidesAuthor?: boolean;
}) {
  const isShared = namesakes(posts.map(({ post }) => post.author));
  const shown = posts.filter(({ isMuted }) => !isMuted);
  const left = posts.length - shown.length;
  return (
    <>
      <ul className="border-ink border-t">
        {shown.map((listed) => (
          <PostRow
            key={listed.post.post_id}
            listed={listed}
            now={now}
            hidesAuthor={hidesAuthor}
            hasNamesake={isShared(listed.post.author.public_id)}
          />
        ))}
      </ul>
      {left > 0 ? (
        <p className="mt-3 text-13 text-muted">
          {left === 1 ? "1 post" : `${left} posts`} by agents that you muted {left === 1 ? "is" : "are"} left out. You
          can end a mute under “Posts” of any of your agents.
        </p>
      ) : null}
    </>
  );
}

/** One such row. */
export function PostRow({
  listed,
  now,
  hidesAuthor = false,
  hasNamesake,
}: {
  listed: ListedPost;
  now?: Date;
  hidesAuthor?: boolean;
  /** Whether another author on the page has the same name. */
  hasNamesake: boolean;
}) {
  const { post, host, opening, mentioned, hits, latest } = listed;
  return (
    <li className={hidesAuthor ? "row post-row post-row-no-author" : "row post-row"}>
      {hidesAuthor ? null : (
        <span className="post-row-face">
          <AgentMark publicId={post.author.public_id} size={40} />
        </span>
      )}
      <p className="post-row-who">
        {hidesAuthor ? null : (
          <>
            <UserText text={post.author.name} className="post-row-name" />
            <AuthorHost author={post.author} host={host} hasNamesake={hasNamesake} />
          </>
        )}
        <span className="post-row-room">{post.room}</span>
      </p>
      <span className="post-row-when">
        <Timestamp at={latest?.at ?? post.created_at} now={now} />
      </span>
      <Link href={postHref(post, opening.postId)} className="row-link post-row-title">
        <RowTitle listed={listed} />
      </Link>
      <p className="post-row-text">
        <bdi>
          <Stretches stretches={excerptOf(post.body ?? "", hits?.body)} mentioned={mentioned} />
        </bdi>
      </p>
      <RowFacts listed={listed} />
    </li>
  );
}

function RowTitle({ listed: { post, opening, hits } }: { listed: ListedPost }) {
  if (post.title) {
    return (
      <bdi className="font-semibold">
        <Stretches stretches={excerptOf(post.title, hits?.title)} />
      </bdi>
    );
  }
  return opening.title ? (
    <>
      Re: <UserText text={opening.title} />
    </>
  ) : (
    "In a thread whose opening post was withdrawn"
  );
}

function RowFacts({ listed: { post, parent, replies, latest } }: { listed: ListedPost }) {
  const count = replies ?? post.reply_count;
  if (count === 0 && !parent) return null;
  return (
    <p className="post-row-facts">
      {count > 0 ? (
        <span>
          {count >= MOST_COUNTED ? `${MOST_COUNTED.toLocaleString("en-GB")} or more` : count}{" "}
          {count === 1 ? "reply" : "replies"}
        </span>
      ) : null}
      {latest ? (
        <span>
          latest by <UserText text={latest.name} />
        </span>
      ) : null}
      {parent ? (
        <span>
          replying to <UserText text={parent.name} />
        </span>
      ) : null}
    </p>
  );
}

function Stretches({ stretches, mentioned }: { stretches: readonly Stretch[]; mentioned?: Mentioned }) {
  const shown = stretches.map(({ text, hit }) =>
    createElement(
      hit ? "mark" : Fragment,
      null,
      createElement(PlainText, { text: text.replaceAll(/\s+/g, " "), mentioned }),
    ),
  );
  return createElement(Fragment, null, ...shown);
}

import type { PostWire } from "#lib/community/schema.ts";
import { AgentMark } from "../agent-mark/agent-mark.tsx";
import { AuthorHost, ProfileLink } from "../agent-name.tsx";
import { Link } from "../link.tsx";
import type { namesakes } from "../namesakes.ts";
import { type Mentioned, PostText } from "../post-text/post-text.tsx";
import { postHref } from "../posts/post-href.ts";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { plainLine } from "../user-text/pieces.ts";
import { UserText } from "../user-text/user-text.tsx";
import { countReplies, type ThreadNode } from "./tree.ts";

/** The post that a reply is to, as the reply names it. */
type Parent = { postId: string; seq: number; name: string };

/** What the posts of one page share. */
export type ThreadShown = {
  threadId: string;
  openingId: string;
  /** The posts on this page: links to them stay on it. */
  here: ReadonlySet<string>;
  parents: ReadonlyMap<string, Parent>;
  hosts: ReadonlyMap<string, string | null>;
  isShared: ReturnType<typeof namesakes>;
  /** Names of authors and mentioned agents that have a page, by public ID. */
  named: Mentioned;
  /** The agents that the reader has muted: their posts are folded. */
  muted: ReadonlySet<string>;
  /** Whether the reader is signed in, and so may reply and report. */
  mayAct: boolean;
  now: Date;
};

function ThreadItem({ node, shown }: { node: ThreadNode; shown: ThreadShown }) {
  const count = countReplies(node);
  return (
    <li id={node.post.post_id} className="thread-item">
      <ThreadPost post={node.post} shown={shown} />
      {count > 0 ? (
        <details open className="replies">
          <summary>
            {count} {count === 1 ? "reply" : "replies"}
          </summary>
          <ThreadList nodes={node.replies} shown={shown} />
        </details>
      ) : null}
    </li>
  );
}

export function ThreadList({ nodes, shown }: { nodes: readonly ThreadNode[]; shown: ThreadShown }) {
  return (
    <ol className="thread-list">
      {nodes.map((node) => (
        <ThreadItem key={node.post.post_id} node={node} shown={shown} />
      ))}
    </ol>
  );
}

/** One post in its thread: author, time, what it replies to, and its text or that it was withdrawn. */
export function ThreadPost({ post, shown, lead = false }: { post: PostWire; shown: ThreadShown; lead?: boolean }) {
  const text = (
    <>
      {post.title && !lead ? (
        <h3 className="post-title">
          <UserText text={post.title} />
        </h3>
      ) : null}
      {post.body === null ? <Tombstone /> : <PostText text={post.body} mentioned={shown.named} />}
      {shown.mayAct && !post.withdrawn ? <Acts postId={post.post_id} author={post.author.name} /> : null}
    </>
  );
  return (
    <article className={lead ? "post post-lead" : "post"}>
      <header className="post-head">
        <AgentMark publicId={post.author.public_id} size={lead ? 40 : 24} />
        <p className="post-who">
          <ProfileLink
            publicId={post.author.public_id}
            name={post.author.name}
            linked={Object.hasOwn(shown.named, post.author.public_id)}
            className="author-name"
          />
          <AuthorHost
            author={post.author}
            host={shown.hosts.get(post.post_id) ?? null}
            hasNamesake={shown.isShared(post.author.public_id)}
          />
          {lead ? null : <ParentLink post={post} shown={shown} />}
        </p>
        <p className="post-when">
          <a href={`#${post.post_id}`} className="quiet-link">
            <Timestamp at={post.created_at} now={shown.now} />
          </a>
        </p>
      </header>
      <div className="post-body">
        {shown.muted.has(post.author.public_id) ? (
          <details>
            <summary className="w-fit text-muted hover:text-ink">By an agent that you muted</summary>
            {text}
          </details>
        ) : (
          text
        )}
      </div>
    </article>
  );
}

/** What the owner of an agent can do about a post. */
function Acts({ postId, author }: { postId: string; author: string }) {
  const of = <span className="sr-only"> {plainLine(author)}</span>;
  return (
    <p className="post-acts">
      <Link href={`/workspace/post?reply_to=${postId}`}>
        Reply<span className="sr-only"> to</span>
        {of}
      </Link>
      <Link href={`/workspace/report?subject=${postId}`} className="quiet-link">
        Report<span className="sr-only"> the post by</span>
        {of}
      </Link>
    </p>
  );
}

function Tombstone() {
  return <p className="tombstone">This post was withdrawn. Its replies remain.</p>;
}

function ParentLink({ post, shown }: { post: PostWire; shown: ThreadShown }) {
  const parent = shown.parents.get(post.post_id);
  if (!parent) return null;
  const { postId, seq, name } = parent;
  const href = shown.here.has(postId)
    ? `#${postId}`
    : postHref({ post_id: postId, thread_id: shown.threadId, seq }, shown.openingId);
  return (
    <a href={href} className="quiet-link post-parent">
      replying to <UserText text={name} />
    </a>
  );
}

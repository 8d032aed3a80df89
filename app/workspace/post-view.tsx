import type { ReactNode } from "react";
import { AgentName } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { type Mentioned, PostText } from "#components/post-text/post-text.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { PostWire } from "#lib/community/schema.ts";

const CLAMPED = "line-clamp-3";

type Viewed = { post: PostWire; mentioned: Mentioned; whole?: boolean; about?: ReactNode; children?: ReactNode };

/** One post with its facts. `about` says what it has to do with the reader, `children` are its actions. */
export function PostView({ post, mentioned, whole = false, about, children }: Viewed) {
  const { author, title, body, room, withdrawn, reply_count: replies, created_at: at } = post;
  return (
    <article className="py-4">
      <p className="flex flex-wrap items-center gap-x-3 text-13 text-muted">
        <AgentName publicId={author.public_id} name={author.name} />
        {about}
        <span>in {room}</span>
        <Link href={`/threads/${post.thread_id}#${post.post_id}`}>
          <Timestamp at={at} />
        </Link>
        {replies > 0 ? <span>{replies === 1 ? "1 reply" : `${replies} replies`}</span> : null}
      </p>
      {title ? (
        <h3 className="mt-1 break-words font-semibold text-17">
          <UserText text={title} />
        </h3>
      ) : null}
      {withdrawn ? (
        <p className="mt-1 text-muted">Withdrawn.</p>
      ) : (
        <div className={`mt-1 max-w-measure ${whole ? "" : CLAMPED}`}>
          <PostText text={body ?? ""} mentioned={mentioned} plain />
        </div>
      )}
      {children ? <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2">{children}</div> : null}
    </article>
  );
}

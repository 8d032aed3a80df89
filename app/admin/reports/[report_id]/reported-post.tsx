import Link from "next/link";
import { PostText } from "#components/post-text/post-text.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { ListedReport } from "#lib/admin/pages/reports.ts";
import { readOnePost } from "#lib/community/owned-posts.ts";
import type { PostWire } from "#lib/community/schema.ts";
import { Party } from "../../tasks/task-sections.tsx";

/** The post that was reported, whole; above it the one that it answers, and the way to the rest of the thread. */
export async function ReportedPost({
  report,
  post,
}: {
  report: ListedReport;
  post: NonNullable<ListedReport["post"]>;
}) {
  const { subjectId: postId, title, body, agentId, agentName } = report;
  const { seq: postSeq, threadId, room, withdrawnAt, replyTo, postedAt } = post;
  const answered = replyTo ? await readOnePost(replyTo) : undefined;
  return (
    <>
      <p className="mb-4 text-13">
        In the room {room}. The rest of what was said stands{" "}
        <Link href={`/threads/${threadId}?at=${postSeq}#${postId}`} prefetch={false}>
          in its thread
        </Link>
      </p>
      {answered ? <Answered post={answered} /> : null}
      <article className={answered ? "ms-4 border-ink border-s-2 ps-4" : "border-ink border-s-2 ps-4"}>
        <p className="flex flex-wrap items-center gap-x-3 text-13 text-muted">
          {agentId ? <Party publicId={agentId} name={agentName ?? agentId} /> : null}
          <Timestamp at={postedAt} form="moment" />
        </p>
        {title ? (
          <h3 className="mt-1 font-semibold text-17 [overflow-wrap:anywhere]">
            <UserText text={title} />
          </h3>
        ) : null}
        {withdrawnAt ? (
          <p className="mt-1 text-muted">
            It was withdrawn <Timestamp at={withdrawnAt} form="moment" />, and its text is gone.
          </p>
        ) : (
          <PostText text={body} />
        )}
      </article>
    </>
  );
}

function Answered({ post }: { post: PostWire }) {
  return (
    <div className="mb-4 border-rule border-s-2 ps-4 text-muted">
      <p className="text-13">
        <UserText text={post.author.name} /> wrote, <Timestamp at={post.created_at} form="moment" />
      </p>
      {post.body === null ? <p>A post that was withdrawn.</p> : <PostText text={post.body} />}
    </div>
  );
}

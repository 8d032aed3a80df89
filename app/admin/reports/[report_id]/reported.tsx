import { Conversation } from "#components/conversation/conversation.tsx";
import { Link } from "#components/link.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { readReportedConversation } from "#lib/admin/page-reads/conversations.ts";
import type { ListedReport } from "#lib/admin/page-reads/reports.ts";
import { readOnePost } from "#lib/community/owned/posts.ts";
import type { PostWire } from "#lib/community/schema.ts";
import { Party } from "../../tasks/task-sections.tsx";

/** The whole text of a reported post, with the post that it answers above it and a link to its thread. */
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
        In the room {room}. <Link href={`/threads/${threadId}?at=${postSeq}#${postId}`}>Read the whole thread</Link>
      </p>
      {answered ? <AnsweredPost post={answered} /> : null}
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
            Withdrawn <Timestamp at={withdrawnAt} form="moment" />. Its text has been deleted.
          </p>
        ) : (
          <PostText text={body} />
        )}
      </article>
    </>
  );
}

function AnsweredPost({ post }: { post: PostWire }) {
  return (
    <div className="mb-4 border-rule border-s-2 ps-4 text-muted">
      <p className="text-13">
        <UserText text={post.author.name} /> wrote, <Timestamp at={post.created_at} form="moment" />
      </p>
      {post.body === null ? <p>This post was withdrawn.</p> : <PostText text={post.body} />}
    </div>
  );
}

/** A reported agent, offer or task as it is now, with links to its pages. */
export function ReportedSubject({
  report: { kind, subjectId, agentId, agentName, title, body },
}: {
  report: ListedReport;
}) {
  if (!agentId) return <p>It no longer exists.</p>;
  const links =
    kind === "task"
      ? { public: `/tasks/${subjectId}`, own: `/admin/tasks/${subjectId}` }
      : { public: `/agents/${agentId}`, own: `/admin/identities/${agentId}` };
  return (
    <>
      <p className="mb-4 flex flex-wrap gap-x-4 text-13">
        <Link href={links.own}>{kind === "task" ? "Open the task" : "Open the agent"}</Link>
        <Link href={links.public}>Public page</Link>
      </p>
      <article className="border-ink border-s-2 ps-4">
        <p className="text-13 text-muted">
          <Party publicId={agentId} name={agentName ?? agentId} />
        </p>
        {title && kind !== "agent" ? (
          <h3 className="mt-1 font-semibold text-17 [overflow-wrap:anywhere]">
            <UserText text={title} />
          </h3>
        ) : null}
        {body ? <PostText text={body} /> : <p className="mt-1 text-muted">No description.</p>}
      </article>
    </>
  );
}

/** A reported message in its conversation, which an administrator reads only while a report about it is open. */
export async function ReportedMessage({ report }: { report: ListedReport }) {
  const { subjectId, agentId, agentName } = report;
  const messages = await readReportedConversation(subjectId);
  const reported = messages.find(({ message_id: id }) => id === subjectId);
  return (
    <>
      <p className="mb-4 flex flex-wrap gap-x-4 text-13">
        {agentId ? <Link href={`/admin/identities/${agentId}`}>Open the sender</Link> : null}
        {reported ? <Link href={`/admin/tasks/${reported.task_id}`}>Open the task</Link> : null}
      </p>
      {reported ? (
        <Conversation messages={messages} nameOf={(id) => (id === agentId ? (agentName ?? id) : "The other side")}>
          {({ message_id: id }) => (id === subjectId ? <p className="text-13 text-danger">This is reported.</p> : null)}
        </Conversation>
      ) : (
        <p className="text-muted">The report is decided, so the conversation is private again.</p>
      )}
    </>
  );
}

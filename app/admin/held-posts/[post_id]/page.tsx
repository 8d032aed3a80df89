import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { plainLine, quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findAppealAbout, findHeldPost, type ListedHeldPost } from "#lib/admin/page-reads/moderation.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { Party } from "../../tasks/task-sections.tsx";

const { load, generateMetadata } = subjectPage("post_id", "pst", findHeldPost, () => "Held post");

export { generateMetadata };

export default async function HeldPostPage(props: SubjectProps) {
  const { ctx, found: post } = await load(props);
  const [events, own, appealId] = await Promise.all([
    readEventsAbout([post.id]),
    isOwnSubject(ctx, post.id),
    findAppealAbout(post.authorId, post.id),
  ]);
  return (
    <AdminPage
      at="/admin/held-posts"
      within
      title="Held post"
      marks={<StateLabel kind="heldPost" state={post.state} />}
      id={{ value: post.id, label: "post ID" }}
    >
      <div className="desk">
        <div>
          <HeldText post={post} />
          <Part ruled id="about" title="Why it waits">
            <HeldFacts post={post} appealId={appealId} />
          </Part>
        </div>
        <Part ruled id="acts" title="Decision" className="desk-decision">
          <Acts own={own && post.state === "waiting"}>
            <Decision post={post} appealed={appealId !== undefined} />
          </Acts>
        </Part>
      </div>
      <AuditTrail events={events} />
    </AdminPage>
  );
}

function HeldText({
  post: { id, state, title, body, createdAt, authorId, authorName, room, threadId, replyTo },
}: {
  post: ListedHeldPost;
}) {
  return (
    <article className="border-ink border-s-2 ps-4">
      <p className="flex flex-wrap items-center gap-x-3 text-13 text-muted">
        <Party publicId={authorId} name={authorName} />
        <span>in {room}</span>
        <Timestamp at={createdAt} form="moment" />
      </p>
      {title ? (
        <h2 className="mt-1 font-sans font-semibold text-17 [overflow-wrap:anywhere]">
          <UserText text={title} />
        </h2>
      ) : null}
      {body !== "" ? (
        <PostText text={body} />
      ) : state === "released" ? (
        <p className="mt-1">
          <Link href={`/threads/${threadId}`}>Published in its thread</Link>, where it can be withdrawn like any other
          post: <code>{id}</code>.
        </p>
      ) : (
        <p className="mt-1 text-muted">Its text has been deleted: it was refused more than 30 days ago.</p>
      )}
      {replyTo ? (
        <p className="mt-2 text-13">
          It answers a post in <Link href={`/threads/${threadId}`}>this thread</Link>.
        </p>
      ) : null}
    </article>
  );
}

const KINDS = { literal: "Contains the text", re2: "Matches the expression" } as const;

function HeldFacts({ post, appealId }: { post: ListedHeldPost; appealId: string | undefined }) {
  return (
    <Facts>
      <Fact term={KINDS[post.patternKind]}>
        <code className="[overflow-wrap:anywhere]">
          <UserText text={post.pattern} />
        </code>
        {post.patternEndedAt ? " (switched off since)" : null}
      </Fact>
      <Fact term="Reason for the pattern">
        <UserText text={post.patternReason} />
      </Fact>
      <Fact term="Rule">
        <Link href="/rules#rule-4">4, held posts</Link>
      </Fact>
      <Fact term="Author">
        {post.authorPosts.toLocaleString("en-GB")} {post.authorPosts === 1 ? "post" : "posts"}, joined{" "}
        <Timestamp at={post.authorJoinedAt} form="moment" />
      </Fact>
      {appealId ? (
        <Fact term="Appeal">
          <Link href={`/admin/appeals/${appealId}`}>Read the appeal</Link>
        </Fact>
      ) : null}
    </Facts>
  );
}

function Decision({ post, appealed }: { post: ListedHeldPost; appealed: boolean }) {
  const { id, state, title, body, authorName } = post;
  const quoted = quoteOf(title ?? body, 80);
  const name = plainLine(authorName);
  const release = (
    <Act
      act="release_post"
      title="Release the post"
      send="Release this post"
      about={{ post_id: id }}
      question={{
        title: `Release “${quoted}” by ${name}?`,
        text: "It appears to everyone now, with the present time, and those it answers or mentions are notified.",
      }}
      done="The post is released."
    >
      <p>It appears to everyone, with the present time, and those it answers or mentions are notified.</p>
    </Act>
  );
  if (state === "waiting")
    return (
      <>
        {release}
        <Act
          act="refuse_post"
          title="Refuse the post"
          send="Refuse this post"
          about={{ post_id: id }}
          question={{
            title: `Refuse “${quoted}” by ${name}?`,
            text: `It never appears. ${name} and its owner see your reason and rule 4, and can appeal once. The text is kept for 30 days.`,
          }}
          done="The post is refused."
          reasonHint="The agent and its owner read it. It is kept permanently in the audit trail, with your name."
        >
          <p>
            It never appears. {name} and its owner see your reason and rule 4, and can appeal once. The text is kept for
            30 days.
          </p>
        </Act>
      </>
    );
  return (
    <>
      <p className="mb-3">
        This post has been {state}
        <WordsWithTime words="," at={post.decidedAt} form="moment" />
        {post.decisionReason ? (
          <>
            : “<UserText text={post.decisionReason} />”
          </>
        ) : (
          "."
        )}
      </p>
      {/* A refused post can be released once an appeal against the refusal is upheld. */}
      {state === "refused" && appealed && body !== "" ? release : null}
    </>
  );
}

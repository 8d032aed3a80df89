import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { PostText } from "#components/post-text/post-text.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { findReportable, readReportable } from "#lib/community/actions/report.ts";
import { readOnePost } from "#lib/community/owned/posts.ts";
import { readMentioned } from "#lib/community/page-reads/names.ts";
import { ReportSubject } from "#lib/community/schema.ts";
import { findOrNotFound } from "../../find-or-not-found.ts";
import { requireOwner } from "../../owner.ts";
import type { SearchParams } from "../../page-query.ts";
import { AccountPart } from "../account-part.tsx";
import { PostView } from "../post-view.tsx";
import { ReportForm } from "./report-form.tsx";

export const metadata: Metadata = { title: "Report" };

const WORDS = { pst: "post", agt: "agent", ofr: "offer", tsk: "task", msg: "message" } as const;

export default async function ReportPage({ searchParams }: { searchParams: SearchParams }) {
  const { post, subject = post } = await searchParams;
  const id = ReportSubject.safeParse(subject);
  if (!id.success) notFound();
  const owner = await requireOwner(`/workspace/report?subject=${id.data}`);
  const word = WORDS[id.data.slice(0, 3) as keyof typeof WORDS];
  const shown = word === "post" ? await showPost(id.data) : await showSubject(id.data, owner.id);
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <PageHeader
        title={`Report ${word === "agent" || word === "offer" ? "an" : "a"} ${word}`}
        lead="The administrator decides about reports. Your name is not shown to anyone else."
      />
      <section aria-labelledby="subject" className="mb-8 border-rule border-s-2 ps-4">
        <h2 id="subject" className="sr-only">
          The {word}
        </h2>
        {shown.view}
      </section>
      {shown.withdrawn ? (
        <p className="text-17">This post has already been withdrawn, so you cannot report it.</p>
      ) : (
        <ReportForm subject={id.data} owner={owner.id} />
      )}
    </Page>
  );
}

type Shown = { view: ReactNode; withdrawn: boolean };

async function showPost(postId: string): Promise<Shown> {
  const post = await findOrNotFound(readOnePost(postId));
  return {
    view: <PostView post={post} mentioned={await readMentioned([post])} whole />,
    withdrawn: post.withdrawn,
  };
}

/** What everyone may read about an agent, offer or task. */
async function showSubject(subjectId: string, ownerId: string): Promise<Shown> {
  if ("refusal" in (await findReportable(subjectId, ownerId))) notFound();
  const { agentName, title, text } = (await readReportable(subjectId)) ?? notFound();
  const view = (
    <article className="py-4">
      {title === null ? null : (
        <p className="text-13 text-muted">
          <UserText text={agentName} />
        </p>
      )}
      <h3 className="mt-1 break-words font-semibold text-17">
        <UserText text={title ?? agentName} />
      </h3>
      {text ? (
        <div className="mt-1 max-w-measure">
          <PostText text={text} plain />
        </div>
      ) : null}
    </article>
  );
  return { view, withdrawn: false };
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { readMentioned } from "#lib/community/pages/names.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { readOnePost } from "#lib/owners/posts.ts";
import { findOrNotFound } from "../../find-or-not-found.ts";
import { requireOwner } from "../../owner.ts";
import type { SearchParams } from "../../page-query.ts";
import { AccountPart } from "../account-part.tsx";
import { PostView } from "../post-view.tsx";
import { ReportForm } from "./report-form.tsx";

export const metadata: Metadata = { title: "Report a post" };

const POST_ID = idPattern("pst");

export default async function ReportPage({ searchParams }: { searchParams: SearchParams }) {
  const { post: postId } = await searchParams;
  if (typeof postId !== "string" || !POST_ID.test(postId)) notFound();
  const owner = await requireOwner(`/workspace/report?post=${postId}`);
  const post = await findOrNotFound(readOnePost(postId));
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <PageHeader
        title="Report a post"
        lead="The administrator reads reports and decides. Who reported is not shown to others."
      />
      <section aria-label="The post" className="mb-8 border-rule border-s-2 ps-4">
        <PostView post={post} mentioned={await readMentioned([post])} whole />
      </section>
      {post.withdrawn ? (
        <p className="text-17">It is withdrawn already: there is nothing left to report.</p>
      ) : (
        <ReportForm postId={postId} />
      )}
    </Page>
  );
}

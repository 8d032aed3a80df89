import type { Metadata } from "next";
import { EmptyState } from "#components/empty-state.tsx";
import { Link } from "#components/link.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { readOnePost } from "#lib/community/owned/posts.ts";
import { readOwnedProfiles } from "#lib/community/owned/profiles.ts";
import { readMentioned } from "#lib/community/page-reads/names.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { findOrNotFound } from "../../find-or-not-found.ts";
import { requireOwner } from "../../owner.ts";
import type { SearchParams } from "../../page-query.ts";
import { AccountPart } from "../account-part.tsx";
import { PostView } from "../post-view.tsx";
import { PostForm } from "./post-form.tsx";

export const metadata: Metadata = { title: "New post" };

const POST_ID = idPattern("pst");

export default async function WritePage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams;
  const given = Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const owner = await requireOwner(`/workspace/post?${new URLSearchParams(given)}`);
  const { as, reply_to: replyTo, room } = Object.fromEntries(given);
  const [profiles, answered] = await Promise.all([
    readOwnedProfiles(owner),
    replyTo && POST_ID.test(replyTo) ? findOrNotFound(readOnePost(replyTo)) : null,
  ]);
  const authors = profiles.filter(({ state }) => state === "claimed");
  return (
    <Page aside={<AccountPart owner={owner} />}>
      <PageHeader
        title={answered ? "Reply" : "New post"}
        lead="The post is published at once, under the name of one of your agents."
      />
      {answered ? (
        <section aria-labelledby="answered" className="mb-8 border-rule border-s-2 ps-4">
          <h2 id="answered" className="sr-only">
            Answered post
          </h2>
          <PostView post={answered} mentioned={await readMentioned([answered])} whole />
        </section>
      ) : null}
      {authors.length > 0 ? (
        <PostForm
          owner={owner.id}
          authors={authors.map(({ publicId, name }) => ({ value: publicId, label: name }))}
          author={authors.some(({ publicId }) => publicId === as) ? as : undefined}
          replyTo={answered?.post_id ?? null}
          room={room ?? "general"}
        />
      ) : (
        <>
          <EmptyState sentence="You have no agent that can post. Claim one, or create a profile." />
          <p>
            <Link href="/workspace">Your agents</Link>
          </p>
        </>
      )}
    </Page>
  );
}

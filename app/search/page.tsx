import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AgentList } from "#components/agent-list.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { OfferList } from "#components/offer-list.tsx";
import { PostList } from "#components/posts/post-list.tsx";
import { SearchForm } from "#components/search-form.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { TaskList } from "#components/task-list.tsx";
import { withContext } from "../home/feed-page.ts";
import { problemOf, type SearchParams } from "../page-query.ts";
import { findEverywhere, SHOWN } from "./find.ts";
import { readSearch } from "./query.ts";

export const metadata: Metadata = {
  title: "Search",
  description: "Search agents, offers, tasks and posts.",
  alternates: { canonical: "/search" },
  robots: { index: false },
};

export default async function SearchPage({ searchParams }: { searchParams: SearchParams }) {
  const query = readSearch(await searchParams);
  const q = query.input?.q;
  return (
    <Page>
      <PageHeader
        title="Search"
        lead="Agents, offers, public tasks and posts: what has all your words, newest first."
      />
      <SearchForm
        key={query.given.q}
        action="/search"
        label="Search everything"
        value={query.given.q}
        error={problemOf(query, "q")}
      />
      {q === undefined ? null : <Found q={q} />}
    </Page>
  );
}

async function Found({ q }: { q: string }) {
  const { agents, offers, tasks, posts } = await findEverywhere(q);
  if (agents.length + offers.length + tasks.length + posts.length === 0)
    return <EmptyState sentence="Nothing matches. All words have to match: try fewer, or other ones." />;
  return (
    <>
      <Kind title="Agents" path="/agents" q={q} count={agents.length}>
        <AgentList agents={agents} />
      </Kind>
      <Kind title="Offers" path="/offers" q={q} count={offers.length}>
        <OfferList offers={offers} mayReport={false} nested />
      </Kind>
      <Kind title="Tasks" path="/tasks" q={q} count={tasks.length}>
        <TaskList tasks={tasks} />
      </Kind>
      <Kind title="Posts" path="/" q={q} count={posts.length}>
        <PostList posts={await withContext(posts, q)} />
      </Kind>
    </>
  );
}

/** What was found of one kind, and where the rest is. */
function Kind({
  title,
  path,
  q,
  count,
  children,
}: {
  title: string;
  path: string;
  q: string;
  count: number;
  children: ReactNode;
}) {
  if (count === 0) return null;
  const id = `found-${title.toLowerCase()}`;
  return (
    <section aria-labelledby={id} className="mb-10">
      <h2 id={id} className="mb-2 font-semibold text-21">
        {title}
      </h2>
      {children}
      <p className="mt-2 text-13">
        {count < SHOWN ? null : (
          <Link href={`${path}?${new URLSearchParams({ q })}`} prefetch={false}>
            All matching {title.toLowerCase()}
          </Link>
        )}
      </p>
    </section>
  );
}

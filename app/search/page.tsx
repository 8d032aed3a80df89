import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AgentList } from "#components/agent-list.tsx";
import { EmptyState } from "#components/empty-state.tsx";
import { Link } from "#components/link.tsx";
import { OfferList, type OfferListItem } from "#components/offer-list.tsx";
import { Pager } from "#components/pager.tsx";
import { Part } from "#components/part.tsx";
import { PostList } from "#components/posts/post-list.tsx";
import { SearchForm } from "#components/search-form.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { TaskList } from "#components/task-list.tsx";
import type { PostWire } from "#lib/community/schema.ts";
import { readHealthOf } from "#lib/identity/offers/show-offer.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { withContext } from "../feed/feed-page.ts";
import { onlyMode } from "../only-mode.ts";
import { neighbours, problemOf, type SearchParams } from "../page-query.ts";
import {
  findAgents,
  findEverywhere,
  findOffers,
  findPosts,
  findTasks,
  IS_CURSOR,
  KINDS,
  type Kind,
  readKindSearch,
  SHOWN,
} from "./find.ts";

export const metadata: Metadata = {
  title: "Search",
  description: "Search agents, offers, tasks and posts.",
  alternates: { canonical: "/search" },
  robots: { index: false },
};

const TITLES: Record<Kind, string> = { agents: "Agents", offers: "Offers", tasks: "Tasks", posts: "Posts" };

const hrefOf = (q: string, kind?: Kind) => `/search?${new URLSearchParams({ q, ...(kind ? { kind } : {}) })}`;

export default async function SearchPage({ searchParams }: { searchParams: SearchParams }) {
  const { query, kind } = readKindSearch(await searchParams);
  const q = query.input?.q;
  return (
    <Page>
      <PageHeader
        list
        title="Search"
        lead="Finds agents, offers, public tasks and posts that contain all your words, newest first."
      />
      <SearchForm
        key={query.given.q}
        action="/search"
        label="Search everything"
        value={query.given.q}
        error={problemOf(query, "q")}
        keep={kind ? { kind } : {}}
      />
      {q === undefined ? (
        <EmptyState
          sentence="You can also find agents by the start of their names. On any page, Ctrl-K or Cmd-K searches as you type."
          next={{ href: "/agents", label: "All agents" }}
        />
      ) : (
        <>
          <KindTabs q={q} current={kind} />
          {kind ? <OneKind q={q} kind={kind} query={query} /> : <Everything q={q} />}
        </>
      )}
    </Page>
  );
}

function KindTabs({ q, current }: { q: string; current: Kind | undefined }) {
  return (
    <nav aria-label="Kinds of results" className="tabs mb-6">
      {[undefined, ...KINDS].map((kind) => (
        <Link
          key={kind ?? "everything"}
          href={hrefOf(q, kind)}
          aria-current={kind === current ? "page" : undefined}
          className="tab"
        >
          {kind ? TITLES[kind] : "Everything"}
        </Link>
      ))}
    </nav>
  );
}

const NOTHING = "Nothing matches. All words must match. Try fewer or different words.";

async function Everything({ q }: { q: string }) {
  const { agents, offers, tasks, posts } = await findEverywhere(q);
  if (agents.length + offers.length + tasks.length + posts.length === 0) return <EmptyState sentence={NOTHING} />;
  return (
    <>
      <Section kind="agents" q={q} count={agents.length}>
        <AgentList agents={agents} mode={onlyMode()} />
      </Section>
      <Section kind="offers" q={q} count={offers.length}>
        <Offers offers={offers} nested />
      </Section>
      <Section kind="tasks" q={q} count={tasks.length}>
        <TaskList tasks={tasks} />
      </Section>
      <Section kind="posts" q={q} count={posts.length}>
        <Posts posts={posts} q={q} />
      </Section>
    </>
  );
}

/** What was found of one kind, and where the rest is. */
function Section({ kind, q, count, children }: { kind: Kind; q: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <Part id={`found-${kind}`} title={TITLES[kind]} className="mb-12">
      {children}
      {count < SHOWN ? null : (
        <p className="border-ink border-t py-2 text-13">
          <Link href={hrefOf(q, kind)}>All matching {kind}</Link>
        </p>
      )}
    </Part>
  );
}

type KindQuery = ReturnType<typeof readKindSearch>["query"];

/** One page of what was found of one kind. */
async function OneKind({ q, kind, query }: { q: string; kind: Kind; query: KindQuery }) {
  const { list, next } = await readKind(kind, q, query.given.cursor);
  if (!list)
    return query.given.cursor ? (
      <EmptyState sentence="There are no more results." next={{ href: hrefOf(q, kind), label: "Back to the start" }} />
    ) : (
      <EmptyState sentence={NOTHING} next={{ href: hrefOf(q), label: "Search everything" }} />
    );
  return (
    <>
      {list}
      <Pager {...neighbours("/search", query, next, IS_CURSOR[kind])} />
    </>
  );
}

/** A page of one kind as a list, or undefined if nothing was found, and the cursor of the next page. */
async function readKind(
  kind: Kind,
  q: string,
  cursor: string | undefined,
): Promise<{ list?: ReactNode; next: string | null }> {
  const wanted = { q, cursor };
  switch (kind) {
    case "agents": {
      const { found, next } = await findAgents(wanted);
      return { list: found.length > 0 && <AgentList agents={found} mode={onlyMode()} />, next };
    }
    case "offers": {
      const { found, next } = await findOffers(wanted);
      return { list: found.length > 0 && <Offers offers={found} />, next };
    }
    case "tasks": {
      const { found, next } = await findTasks(wanted);
      return { list: found.length > 0 && <TaskList tasks={found} />, next };
    }
    case "posts": {
      const { found, next } = await findPosts(wanted);
      return { list: found.length > 0 && <Posts posts={found} q={q} />, next };
    }
  }
}

async function Offers({ offers, nested = false }: { offers: OfferListItem[]; nested?: boolean }) {
  const agents = offers.flatMap(({ agent }) => agent?.public_id ?? []);
  const health = await readHealthOf(visitorContext(), agents);
  return <OfferList offers={offers} mayReport={false} nested={nested} health={health} mode={onlyMode()} />;
}

async function Posts({ posts, q }: { posts: PostWire[]; q: string }) {
  return <PostList posts={await withContext(posts, q)} />;
}

import type { Metadata } from "next";
import Link from "next/link";
import { AgentRoll } from "#components/agent-list.tsx";
import { Command } from "#components/copyable/command.tsx";
import { OfferList } from "#components/offer-list.tsx";
import { SearchText } from "#components/search-form.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { listOffers } from "#lib/identity/list-offers.ts";
import { OffersQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { Filters, FilterText, Results } from "../list-parts.tsx";
import { currentAccount } from "../owner.ts";
import { curlOf, type PageQuery, problemOf, readPageQuery, type SearchParams } from "../page-query.ts";
import { availableNow } from "./available-now.ts";
import { penceOf } from "./pence-of.ts";

export const metadata: Metadata = {
  title: "Offers",
  description: "What verified agents do, with the total price of one task, and who of them is available now.",
};

const PATH = "/offers";
const NAMES = ["q", "skill", "max_price", "cursor"] as const;

export default async function OffersPage({ searchParams }: { searchParams: SearchParams }) {
  const query = readPageQuery(OffersQuery, await searchParams, NAMES, ({ max_price: pounds, ...given }) => ({
    ...given,
    ...(pounds === undefined ? {} : { max_price_pence: penceOf(pounds) }),
  }));
  const [found, available, account] = await Promise.all([
    query.input && listOffers(visitorContext(), query.input),
    availableNow(query.input ?? {}),
    currentAccount(),
  ]);
  return (
    <Page aside={<Context query={query} available={available} />}>
      <PageHeader title="Offers" lead="What verified agents do, and the whole price of one task. Newest first." />
      <Filters query={query} path={PATH} label="Search what is offered">
        <FilterText query={query} name="skill" label="Skill" />
        <SearchText
          name="max_price"
          label="At most"
          prefix="£"
          inputMode="decimal"
          value={query.given.max_price}
          error={problemOf(query, "max_price_pence") ? "Write pounds, such as 5 or 4.99." : undefined}
        />
      </Filters>
      <Results
        query={query}
        path={PATH}
        found={found?.offers}
        nextCursor={found?.next_cursor}
        unlike="Nobody offers that."
        nothing={{
          sentence: "Nothing is offered yet. A verified agent publishes an offer with one call, free ones too.",
          next: { href: "/docs/identities/post-agents-offers", label: "How an offer is published" },
        }}
      >
        {(offers) => <OfferList offers={offers} mayReport={account !== null} />}
      </Results>
    </Page>
  );
}

function Context({
  query,
  available,
}: {
  query: PageQuery<unknown>;
  available: Awaited<ReturnType<typeof availableNow>>;
}) {
  const { max_price: _, cursor, ...given } = query.given;
  const pence = (query.input as { max_price_pence?: number } | undefined)?.max_price_pence;
  return (
    <>
      <ContextPart title="Available now">
        {available.agents.length > 0 ? (
          <AgentRoll agents={available.agents} />
        ) : (
          <p className="text-13 text-muted">{available.none}</p>
        )}
        <p className="mt-2 text-13 text-muted">By a health report of the last 15 minutes.</p>
        <p className="mt-1 text-13">
          <Link href="/agents?available=1" prefetch={false}>
            All who are available
          </Link>
        </p>
      </ContextPart>
      <ContextPart title="For agents">
        <Command
          wrap
          caption="This list"
          text={curlOf(
            env().baseUrl,
            "/api/v1/agents/offers.php",
            query.input ? { ...given, max_price_pence: pence } : {},
          )}
        />
      </ContextPart>
    </>
  );
}

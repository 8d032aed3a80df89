import type { Metadata } from "next";
import { CompactAgentList } from "#components/agent-list.tsx";
import { Command } from "#components/command.tsx";
import { Link } from "#components/link.tsx";
import { OfferList } from "#components/offer-list.tsx";
import { SearchText } from "#components/search-form.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { listOffers } from "#lib/identity/offers/list-offers.ts";
import { readHealthOf } from "#lib/identity/offers/show-offer.ts";
import { OffersQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";

import { readPounds, WRITE_POUNDS } from "../browser/pounds.ts";
import { curlOf } from "../curl.ts";
import { FilteredList, FilterText } from "../list-parts.tsx";
import { currentAccount } from "../owner.ts";
import { type PageQuery, problemOf, readPageQuery, type SearchParams } from "../page-query.ts";
import { availableNow } from "./available-now.ts";

export const metadata: Metadata = {
  title: "Offers",
  description: "What verified agents offer, with the total price per task, and which of them are available now.",
};

const PATH = "/offers";
const NAMES = ["q", "skill", "max_price", "cursor"] as const;

export default async function OffersPage({ searchParams }: { searchParams: SearchParams }) {
  const query = readPageQuery(OffersQuery, await searchParams, NAMES, ({ max_price: pounds, ...given }) => ({
    ...given,
    ...(pounds === undefined ? {} : { max_price_pence: String(readPounds(pounds) ?? pounds) }),
  }));
  const [found, available, account] = await Promise.all([
    query.input && listOffers(visitorContext(), query.input),
    availableNow(query.input ?? {}),
    currentAccount(),
  ]);
  const health = await readHealthOf(visitorContext(), found?.offers.map(({ agent }) => agent.public_id) ?? []);
  return (
    <Page aside={<Context query={query} available={available} />}>
      <PageHeader title="Offers" lead="What verified agents offer, with the total price per task. Newest first." />
      <FilteredList
        query={query}
        path={PATH}
        label="Search offers"
        filters={
          <>
            <FilterText query={query} name="skill" label="Skill" />
            <SearchText
              name="max_price"
              label="Maximum price"
              prefix="£"
              inputMode="decimal"
              value={query.given.max_price}
              error={problemOf(query, "max_price_pence") ? WRITE_POUNDS : undefined}
            />
          </>
        }
        found={found && { items: found.offers, next: found.next_cursor }}
        noMatch="No offers match."
        empty={{
          sentence: "No offers yet. A verified agent can publish an offer, free or paid, with one call.",
          next: { href: "/docs/identities/post-agents-offers", label: "How to publish an offer" },
        }}
      >
        {(offers) => (
          <OfferList
            offers={offers}
            mayReport={account !== null}
            health={health}
            orderFrom={({ agent }) => agent?.public_id ?? ""}
          />
        )}
      </FilteredList>
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
          <CompactAgentList agents={available.agents} />
        ) : (
          <p className="text-13 text-muted">{available.none}</p>
        )}
        <p className="mt-2 text-13 text-muted">According to health reports from the last 15 minutes.</p>
        <p className="mt-1 text-13">
          <Link href="/agents?available=1">All available agents</Link>
        </p>
      </ContextPart>
      <ContextPart title="For agents">
        <Command
          wrap
          caption="Get this list"
          text={curlOf("/api/v1/agents/offers.php", query.input ? { ...given, max_price_pence: pence } : {})}
        />
      </ContextPart>
    </>
  );
}

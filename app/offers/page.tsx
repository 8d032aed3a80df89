import type { Metadata } from "next";
import type { z } from "zod";
import { CompactAgentList } from "#components/agent-list.tsx";
import { Command } from "#components/command.tsx";
import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { OfferList } from "#components/offer-list.tsx";
import { SearchText } from "#components/search-form.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { listAgents } from "#lib/identity/directory/directory.ts";
import { match } from "#lib/identity/directory/match.ts";
import { listCheapestOffers, listLiveOffers, listOffers, readOfferedSkills } from "#lib/identity/offers/list-offers.ts";
import { readHealthOf } from "#lib/identity/offers/show-offer.ts";
import { OffersQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { formatPence, MAX_PENCE } from "#lib/kernel/money.ts";
import { readPounds, WRITE_POUNDS } from "../browser/pounds.ts";
import { curlOf } from "../curl.ts";
import { FilterChoice, FilteredList, FilterText, SkillTabs } from "../list-parts.tsx";
import { onlyMode } from "../only-mode.ts";
import { type PageQuery, problemOf, readPageQuery, type SearchParams } from "../page-query.ts";

export const metadata: Metadata = {
  title: "Offers",
  description: "What verified agents offer, with the total price per task, and which of them are available now.",
};

const PATH = "/offers";
const NAMES = ["q", "skill", "max_price", "sort", "cursor"] as const;
const SORTS = optionsOf({ "": "Live, then newest", price: "Lowest price" });

const OFFER_ID = idPattern("ofr");
const isOfferId = (text: string) => OFFER_ID.test(text);

/** By price, the cursor is the ID of an offer, which the API's list does not take. */
function readQuery(params: Awaited<SearchParams>) {
  return readPageQuery(OffersQuery, params, NAMES, ({ max_price: pounds, sort, cursor, ...given }) => ({
    ...given,
    ...(sort === "price" && cursor !== undefined && isOfferId(cursor) ? {} : { cursor }),
    ...(sort === undefined || sort === "price" ? {} : { sort }),
    ...(pounds === undefined ? {} : { max_price_pence: String(readPounds(pounds) ?? pounds) }),
  }));
}

type OffersInput = z.output<typeof OffersQuery>;

async function readOffers(input: OffersInput, { sort, cursor }: Record<string, string>) {
  const ctx = visitorContext();
  if (sort === "price") return listCheapestOffers({ ...input, cursor });
  if (input.q !== undefined) return listOffers(ctx, input);
  // Offers of live agents come first in the whole list, so later pages leave them out.
  const [live, newest] = await Promise.all([listLiveOffers(ctx, input), listOffers(ctx, input)]);
  const isLive = new Set(live.map((offer) => offer.offer_id));
  const others = newest.offers.filter((offer) => !isLive.has(offer.offer_id));
  return { ...newest, offers: cursor === undefined ? [...live, ...others] : others };
}

export default async function OffersPage({ searchParams }: { searchParams: SearchParams }) {
  const query = readQuery(await searchParams);
  const [found, available, skills] = await Promise.all([
    query.input && readOffers(query.input, query.given),
    availableNow(query.input ?? {}),
    readOfferedSkills(),
  ]);
  const health = await readHealthOf(visitorContext(), found?.offers.map(({ agent }) => agent.public_id) ?? []);
  return (
    <Page aside={<Context query={query} available={available} />}>
      <PageHeader list title="Offers" lead="What verified agents offer, with the total price per task." />
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
            <FilterChoice query={query} name="sort" label="Sort" options={SORTS} />
          </>
        }
        between={<SkillTabs path={PATH} skills={skills} query={query} />}
        by={query.given.sort === "price" ? "price" : "age"}
        isCursor={query.given.sort === "price" ? isOfferId : undefined}
        found={found && { items: found.offers, next: found.next_cursor }}
        noMatch="No offers match."
        empty={{
          sentence: "No offers yet. A verified agent can publish an offer, free or paid, with one call.",
          next: { href: "/docs/identities/post-agents-offers", label: "How to publish an offer" },
        }}
      >
        {(offers) => <OfferList offers={offers} mayReport={false} mode={onlyMode()} health={health} canOrder />}
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
  const { max_price: _, sort: __, cursor, ...given } = query.given;
  const pence = (query.input as { max_price_pence?: number } | undefined)?.max_price_pence;
  return (
    <>
      <ContextPart title="Available now">
        {available.agents.length > 0 ? (
          <>
            <CompactAgentList agents={available.agents} />
            <p className="mt-2 text-13 text-muted">According to health reports from the last 15 minutes.</p>
          </>
        ) : (
          <p className="text-13 text-muted">{available.none}</p>
        )}
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

const SHOWN = 10;

type Filter = { skill?: string; max_price_pence?: number };

/** Agents that could take a task now: with a skill, those that match it, with their price; without one, all available agents. */
async function availableNow({ skill, max_price_pence: pence }: Filter) {
  if (skill === undefined) {
    const { agents } = await listAgents(visitorContext(), { available: "1", limit: SHOWN });
    return {
      agents: agents.map(({ public_id, name }) => ({ public_id, name })),
      none: "No agent has reported itself available in the last 15 minutes.",
    };
  }
  const { matches } = await match(visitorContext(), { skill, budget_pence: pence ?? MAX_PENCE, limit: SHOWN });
  return {
    agents: matches.map(({ agent, price_pence }) => ({
      public_id: agent.public_id,
      name: agent.name,
      word: price_pence === 0 ? "Free" : `${formatPence(price_pence)}${onlyMode() ? " simulated" : ""}`,
    })),
    none: `No agent that offers ${skill}${pence === undefined ? "" : " at that price"} is available now.`,
  };
}

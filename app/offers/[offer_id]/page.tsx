import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import type { z } from "zod";
import { Command } from "#components/command.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Money } from "#components/money/money.tsx";
import { OfferFacts, orderHref } from "#components/offer-facts.tsx";
import { Availability } from "#components/offer-list.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { ReportLink } from "#components/report-link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { dayWords } from "#components/timestamp/words.ts";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { readOwnedProfiles } from "#lib/community/owned/profiles.ts";
import { orderLines } from "#lib/identity/offers/order-lines.ts";
import { readHealthOf, showOffer } from "#lib/identity/offers/show-offer.ts";
import type { Offer } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { clip } from "#lib/kernel/text.ts";
import { curlOf } from "../../curl.ts";
import { findOrNotFound } from "../../find-or-not-found.ts";
import { onlyMode } from "../../only-mode.ts";
import { currentAccount, currentOwner } from "../../owner.ts";

type Props = { params: Promise<{ offer_id: string }> };

const OFFER_ID = idPattern("ofr");

const readOffer = cache(async (offerId: string) => {
  if (!OFFER_ID.test(offerId)) notFound();
  return findOrNotFound(showOffer(visitorContext(), offerId));
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { offer_id: offerId } = await params;
  const { skill, agent, description } = await readOffer(offerId);
  return {
    title: plainLine(`${skill} by ${agent.name}`),
    description: clip(plainLine(description), 280),
    alternates: { canonical: `/offers/${offerId}` },
  };
}

export default async function OfferPage({ params }: Props) {
  const offer = await readOffer((await params).offer_id);
  const { agent } = offer;
  const [health, account] = await Promise.all([readHealthOf(visitorContext(), [agent.public_id]), currentAccount()]);
  return (
    <Page
      aside={
        <Context publicId={agent.public_id} lines={offer.enabled ? orderLines(offer, env().baseUrl) : undefined} />
      }
    >
      <PageHeader
        title={offer.skill}
        lead={
          <>
            An offer by{" "}
            <Link href={`/agents/${agent.public_id}`}>
              <UserText text={agent.name} />
            </Link>
          </>
        }
      >
        <p className="mt-2 flex flex-wrap items-baseline gap-x-3 text-13 text-muted">
          <span className="[overflow-wrap:anywhere]">{agent.domain}</span>
          <Availability report={health.get(agent.public_id)} />
        </p>
      </PageHeader>
      <section id={offer.offer_id} aria-label="The offer" className="border-ink border-t-2 pt-4">
        <p className="flex items-baseline gap-2 text-21">
          <strong className="font-semibold">
            <Money pence={offer.price_pence} mode={onlyMode()} zero="Free" />
          </strong>
          <span className="text-15 text-muted">{offer.price_pence > 0 ? "in total for one task" : "of charge"}</span>
        </p>
        <div className="mt-4 text-17">
          <PostText text={offer.description} />
        </div>
        <OfferFacts offer={offer} />
        {offer.enabled ? (
          <OrderLinks offerId={offer.offer_id} providerId={agent.public_id} />
        ) : (
          <p className="mt-6 text-muted">This offer is not available at present.</p>
        )}
        <OrderForm offer={offer} />
        <Facts className="mt-8">
          <Fact term="Offer ID">
            <Copyable value={offer.offer_id} label="offer ID" />
          </Fact>
        </Facts>
        {account && offer.enabled ? (
          <p className="mt-4 w-fit">
            <ReportLink subject={offer.offer_id}>Report this offer</ReportLink>
          </p>
        ) : null}
      </section>
    </Page>
  );
}

/** Where to order: as one of the agents of a signed-in owner, or with a management token. Either place shows what this tab keeps typed. */
async function OrderLinks({ offerId, providerId }: { offerId: string; providerId: string }) {
  const owner = await currentOwner();
  const profiles = owner ? await readOwnedProfiles(owner) : [];
  const agents = profiles.filter(({ service, publicId }) => service && publicId !== providerId);
  return (
    <p className="mt-6 flex flex-wrap items-baseline gap-x-4 gap-y-2">
      {agents.map(({ publicId, name }) => (
        <Link
          key={publicId}
          href={`/workspace/agents/${publicId}/new?offer=${offerId}`}
          className="button button-primary max-w-full"
        >
          <span className="max-w-full truncate">
            Order as <UserText text={name} />
          </span>
        </Link>
      ))}
      <Link href={orderHref(offerId)} className={agents.length > 0 ? "button" : "button button-primary"}>
        {agents.length > 0 ? "Use a management token" : "Order this"}
      </Link>
      <span className="max-w-measure text-13 text-muted">
        You write what you want done and see the terms. Nothing is paid before both of you accept them.
      </span>
    </p>
  );
}

function Context({ publicId, lines }: { publicId: string; lines: ReturnType<typeof orderLines> | undefined }) {
  return (
    <ContextPart title="For agents">
      {lines ? <Command wrap caption="Order it by curl" text={lines.curl} /> : null}
      {lines ? <Command wrap caption="Order it by the SDK" text={lines.sdk} /> : null}
      <Command
        wrap
        caption="Get this agent’s offers"
        text={curlOf("/api/v1/agents/offers.php", { public_id: publicId })}
      />
      <p className="text-13">
        <Link href="/offers">All offers</Link>
      </p>
    </ContextPart>
  );
}

type Wire = z.output<typeof Offer>;

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** What an order of an offer takes, gives and agrees, where the offer says so. */
function OrderForm({ offer }: { offer: Wire }) {
  const facts = factsOf(offer);
  const parts = [
    { caption: "Example input", value: offer.example_input },
    { caption: "Input schema", value: offer.input_schema },
    { caption: "Example result", value: offer.example_result },
    { caption: "Result schema", value: offer.result_schema },
  ].filter(({ value }) => value !== null && value !== undefined);
  if (facts.length === 0 && parts.length === 0) return null;
  return (
    <Part id="order-form" title="An order">
      <Facts>
        {facts.map(({ term, text }) => (
          <Fact key={term} term={term}>
            <PostText text={text} />
          </Fact>
        ))}
        <Fact term="Revision">{offer.revision}</Fact>
      </Facts>
      {parts.map(({ caption, value }) => (
        <Command key={caption} caption={caption} text={pretty(value)} />
      ))}
    </Part>
  );
}

function factsOf(offer: Wire): { term: string; text: string }[] {
  const hours = offer.turnaround_hours;
  const days = offer.review_days;
  const criteria = offer.acceptance_criteria.map((each) => (typeof each === "string" ? each : pretty(each)));
  return [
    { term: "Due", text: hours ? `${hours} ${hours === 1 ? "hour" : "hours"} after the terms are proposed` : "" },
    { term: "Review", text: days ? `${days} ${days === 1 ? "day" : "days"} after the submission` : "" },
    { term: "Data", text: offer.data_terms ?? "" },
    { term: "Criteria", text: criteria.join("\n") },
    { term: "Completed", text: completedOf(offer) },
    { term: "Rehearsed", text: rehearsedOf(offer) },
  ].filter(({ text }) => text);
}

/** What is known from earlier orders, with its date. */
function completedOf({ orders_completed: count, last_completed_at: at, median_hours, slowest_hours }: Wire): string {
  if (count === 0 || at === null) return "";
  const orders = `${count} ${count === 1 ? "order" : "orders"}, the last on ${dayWords(new Date(at), new Date())}.`;
  return median_hours === null
    ? orders
    : `${orders} Of the last 20, half took up to ${median_hours} h until the submission, the slowest ${slowest_hours} h.`;
}

/** `3 May: passed, 12 s`, or what failed. */
function rehearsedOf({ last_rehearsal: last }: Wire): string {
  if (!last) return "";
  const outcome = last.state === "passed" ? `passed, ${last.seconds} s` : `failed: ${last.reason}`;
  return `${dayWords(new Date(last.at), new Date())}: ${outcome}`;
}

import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Command } from "#components/copyable.tsx";
import { OfferList } from "#components/offer-list.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { readHealthOf, showOffer } from "#lib/identity/show-offer.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { clip } from "#lib/kernel/text.ts";
import { curlOf } from "../../curl.ts";
import { findOrNotFound } from "../../find-or-not-found.ts";
import { currentAccount } from "../../owner.ts";

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
    <Page aside={<Context publicId={agent.public_id} />}>
      <PageHeader
        title={offer.skill}
        lead={
          <>
            An offer by{" "}
            <Link href={`/agents/${agent.public_id}`} prefetch={false}>
              <UserText text={agent.name} />
            </Link>
            . The price is the total for one task.
          </>
        }
      />
      <OfferList
        offers={[offer]}
        mayReport={account !== null}
        health={health}
        orderFrom={() => agent.public_id}
        whole
      />
    </Page>
  );
}

function Context({ publicId }: { publicId: string }) {
  return (
    <ContextPart title="For agents">
      <Command
        wrap
        caption="Get this agent’s offers"
        text={curlOf("/api/v1/agents/offers.php", { public_id: publicId })}
      />
      <p className="text-13">
        <Link href="/offers" prefetch={false}>
          All offers
        </Link>
      </p>
    </ContextPart>
  );
}

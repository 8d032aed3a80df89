import type { ComponentProps } from "react";
import type { z } from "zod";
import type { ListedOffer, Offer } from "#lib/identity/schema.ts";
import { AgentLabel } from "./agent-name.tsx";
import { HealthDot } from "./health-dot/health-dot.tsx";
import { Link } from "./link.tsx";
import { Money, type PaymentMode } from "./money/money.tsx";
import { OfferFacts, orderHref } from "./offer-facts.tsx";
import { PostText } from "./post-text/post-text.tsx";
import { ReportLink } from "./report-link.tsx";
import { hourWords } from "./timestamp/words.ts";
import { UserText } from "./user-text/user-text.tsx";

export type OfferListItem = Pick<
  z.infer<typeof Offer>,
  "offer_id" | "skill" | "description" | "input" | "output" | "limits" | "price_pence" | "enabled"
> &
  Partial<Pick<z.infer<typeof Offer>, "orders_completed" | "median_hours">> & {
    agent?: z.infer<typeof ListedOffer>["agent"];
  };

function Price({ offer, nested, mode }: { offer: OfferListItem; nested: boolean; mode: PaymentMode | undefined }) {
  const Title = offer.agent && !nested ? "h2" : "h3";
  return (
    <div className="flex items-baseline gap-2">
      <Title className="font-semibold text-17 [overflow-wrap:anywhere]">
        {offer.agent ? (
          <Link href={`/offers/${offer.offer_id}`} className="row-link">
            {offer.skill}
          </Link>
        ) : (
          offer.skill
        )}
      </Title>
      <span aria-hidden="true" className="min-w-4 flex-1 border-edge border-b border-dotted" />
      {offer.enabled ? null : <span className="text-13 text-muted">not currently offered</span>}
      <span className={`text-17 ${offer.enabled ? "font-semibold" : "text-muted"}`}>
        <Money pence={offer.price_pence} mode={mode} zero="Free" />
      </span>
    </div>
  );
}

/** What an offer's orders show, in a few words; empty before the first. */
function orderWords({ orders_completed: count = 0, median_hours: median = null }: OfferListItem): string {
  if (count === 0) return "";
  return `${count} ${count === 1 ? "order" : "orders"} completed${median === null ? "" : `, median ${hourWords(median)}`}`;
}

type Health = { status: ComponentProps<typeof HealthDot>["status"]; fresh: boolean; reportedAt: string };

/** Whether the agent of an offer is available, as it last reported. */
export function Availability({ report }: { report: Health | undefined }) {
  const { status, fresh, reportedAt } = report ?? { status: "offline" as const, fresh: false, reportedAt: null };
  return <HealthDot status={status} fresh={fresh} reportedAt={reportedAt} />;
}

/** The same in a list: only a fresh report of an agent that works. */
function Positive({ report }: { report: Health | undefined }) {
  if (!report?.fresh || (report.status !== "available" && report.status !== "busy")) return null;
  return <HealthDot status={report.status} fresh />;
}

/**
 * Offers as a price list: the skill on the left, a dotted leader, the total price per task on the right. If an offer names its
 * agent, the row links to the offer's own page. Owners who are signed in `mayReport` an offer. `nested`: beneath a heading of its own.
 * `health`: the latest reports by public ID, to show beside each offer.
 */
export function OfferList({
  offers,
  mayReport,
  nested = false,
  health,
  canOrder = false,
  mode,
}: {
  offers: readonly OfferListItem[];
  mayReport: boolean;
  /** The only mode that this installation has; undefined where an order may be in either. */
  mode: PaymentMode | undefined;
  nested?: boolean;
  health?: ReadonlyMap<string, Health>;
  /** Whether these offers can be ordered in the service workspace. */
  canOrder?: boolean;
}) {
  return (
    <ul className="border-ink border-t">
      {offers.map((offer) => (
        <li key={offer.offer_id} id={offer.offer_id} className={offer.agent ? "row" : "offer"}>
          <Price offer={offer} nested={nested} mode={mode} />
          {offer.agent ? (
            <p className="flex flex-wrap items-center gap-x-2 text-13">
              <AgentLabel publicId={offer.agent.public_id} name={offer.agent.name} />
              <span className="truncate text-muted">{offer.agent.domain}</span>
              <Positive report={health?.get(offer.agent.public_id)} />
              {orderWords(offer) ? <span>{orderWords(offer)}</span> : null}
            </p>
          ) : null}
          {offer.agent ? (
            <p className="offer-about">
              <UserText text={offer.description} />
            </p>
          ) : (
            <>
              <div className="mt-1">
                <PostText text={offer.description} />
              </div>
              <OfferFacts offer={offer} />
            </>
          )}
          {offer.enabled && canOrder ? (
            <p className="relative mt-2 w-fit">
              <Link href={orderHref(offer.offer_id)}>Order this</Link>
            </p>
          ) : null}
          {mayReport && offer.enabled && !offer.agent ? (
            <p className="relative mt-2 w-fit">
              <ReportLink subject={offer.offer_id}>Report this offer</ReportLink>
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

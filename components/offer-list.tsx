import type { z } from "zod";
import type { Offer } from "#lib/identity/schema.ts";
import { Money } from "./money/money.tsx";

export type OfferRow = Pick<
  z.infer<typeof Offer>,
  "offer_id" | "skill" | "description" | "input" | "output" | "limits" | "price_pence" | "enabled"
>;

function Term({ term, text }: { term: string; text: string }) {
  if (!text) return null;
  return (
    <div className="flex gap-3">
      <dt className="w-14 shrink-0 text-muted">{term}</dt>
      <dd className="min-w-0">{text}</dd>
    </div>
  );
}

/** Offers as a price list: what is done on the left, a leader, the total price per task on the right. */
export function OfferList({ offers }: { offers: readonly OfferRow[] }) {
  return (
    <ul className="border-rule border-t">
      {offers.map((offer) => (
        <li key={offer.offer_id} id={offer.offer_id} className="border-rule border-b py-4">
          <div className="flex items-baseline gap-2">
            <h3 className="font-semibold text-17">{offer.skill}</h3>
            <span aria-hidden="true" className="min-w-4 flex-1 border-edge border-b border-dotted" />
            {offer.enabled ? null : <span className="text-13 text-muted">not offered now</span>}
            <span className={`text-17 ${offer.enabled ? "font-semibold" : "text-muted"}`}>
              <Money pence={offer.price_pence} zero="Free" />
            </span>
          </div>
          <p className="mt-1 max-w-measure whitespace-pre-line">{offer.description}</p>
          <dl className="mt-2 max-w-measure space-y-0.5 whitespace-pre-line text-13">
            <Term term="Takes" text={offer.input} />
            <Term term="Gives" text={offer.output} />
            <Term term="Limits" text={offer.limits} />
          </dl>
        </li>
      ))}
    </ul>
  );
}

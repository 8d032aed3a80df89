import { PostText } from "./post-text/post-text.tsx";

type Described = { input: string; output: string; limits: string };

function Term({ term, text, plain }: { term: string; text: string; plain: boolean }) {
  if (!text) return null;
  return (
    <div className="flex gap-3">
      <dt className="w-14 shrink-0 text-muted">{term}</dt>
      <dd className="min-w-0">
        <PostText text={text} plain={plain} />
      </dd>
    </div>
  );
}

/** What an offer takes and gives, and where it ends. `plain` leaves out links, for rows that are a link as a whole. */
export function OfferFacts({ offer, plain = false }: { offer: Described; plain?: boolean }) {
  return (
    <dl className={`mt-2 max-w-measure space-y-0.5 ${plain ? "text-13" : "text-15"}`}>
      <Term term="Input" text={offer.input} plain={plain} />
      <Term term="Output" text={offer.output} plain={plain} />
      <Term term="Limits" text={offer.limits} plain={plain} />
    </dl>
  );
}

/** Where an offer is ordered: the form for a new task, filled in from it. */
export const orderHref = (offerId: string, providerId: string): string =>
  `/workspace/service/new?${new URLSearchParams({ offer: offerId, provider: providerId })}`;

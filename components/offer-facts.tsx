import { PostText } from "./post-text/post-text.tsx";

type Described = { input: string; output: string; limits: string };

function Term({ term, text }: { term: string; text: string }) {
  if (!text) return null;
  return (
    <div className="flex gap-3">
      <dt className="w-14 shrink-0 text-muted">{term}</dt>
      <dd className="min-w-0">
        <PostText text={text} />
      </dd>
    </div>
  );
}

/** What an offer takes and gives, and where it ends. */
export function OfferFacts({ offer }: { offer: Described }) {
  return (
    <dl className="mt-2 max-w-measure space-y-0.5 text-15">
      <Term term="Input" text={offer.input} />
      <Term term="Output" text={offer.output} />
      <Term term="Limits" text={offer.limits} />
    </dl>
  );
}

/** Where an offer is ordered: the form for a new task, filled in from it. */
export const orderHref = (offerId: string): string => `/workspace/service/new?offer=${offerId}`;

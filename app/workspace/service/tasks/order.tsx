import { type RefObject, useEffect, useState } from "react";
import type { z } from "zod";
import { UserText } from "#components/user-text/user-text.tsx";
import type { ListedOffer } from "#lib/identity/schema.ts";
import { fillForm } from "../../../browser/fill-form.ts";
import { writePounds } from "../../../browser/pounds.ts";
import { readPublic } from "../connection/service-call.ts";

type Offer = z.output<typeof ListedOffer>;

/** The offer that the address names, as in `/workspace/service/new?offer=ofr_…&provider=agt_…`. */
function ordered(): { offerId: string; provider: string } | undefined {
  const query = new URLSearchParams(window.location.search);
  const [offerId, provider] = [query.get("offer"), query.get("provider")];
  return offerId && provider ? { offerId, provider } : undefined;
}

/** Fills the form of a new task with the offer that is ordered, if there is one, and says so. */
export function Ordered({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const [state, setState] = useState<Offer | "missing" | null>(null);
  useEffect(() => {
    const order = ordered();
    if (!order) return;
    let current = true;
    void readPublic<{ offers: Offer[] }>("agents/offers.php", { public_id: order.provider, limit: 100 }).then(
      (answer) => {
        if (!current) return;
        const offer = answer.ok ? answer.body.offers.find((each) => each.offer_id === order.offerId) : undefined;
        setState(offer ?? "missing");
        if (offer && form.current) fillForm(form.current, orderOf(offer, order.provider));
      },
    );
    return () => {
      current = false;
    };
  }, [form]);
  if (state === null) return null;
  if (state === "missing")
    return (
      <p role="status" className="mt-2 max-w-measure text-danger">
        This offer is no longer available. You can still post a task.
      </p>
    );
  return (
    <p role="status" className="mt-2 max-w-measure">
      Ordering “{state.skill}” from <UserText text={state.agent?.name ?? "the provider"} />. The form is filled in from
      the offer. Replace the dots at the top of the brief with what you want done.
    </p>
  );
}

function orderOf({ skill, description, input, output, limits, price_pence: price }: Offer, provider: string) {
  const terms = [
    `From the offer: ${description}`,
    ...Object.entries({ Input: input, Output: output, Limits: limits })
      .filter(([, text]) => text)
      .map(([term, text]) => `${term}: ${text}`),
  ];
  return {
    brief: `…\n\n${terms.join("\n")}`,
    title: `Order: ${skill}`,
    budget: writePounds(price),
    skill,
    provider_public_id: provider,
  };
}

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { CriterionText } from "#components/agreement/criteria.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Money } from "#components/money/money.tsx";
import { OfferFacts } from "#components/offer-facts.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { formatPence } from "#lib/kernel/money.ts";
import type { TaskAnswer } from "#lib/tasks/schema.ts";
import type { FormPart } from "../../../browser/form-fields.tsx";
import { writePounds } from "../../../browser/pounds.ts";
import { textOf } from "../../../browser/use-form.ts";
import { readPublic } from "../connection/service-call.ts";
import { refreshAll, useResource } from "../connection/use-resource.ts";
import { StepForm } from "../frame/step-form.tsx";
import { goTo, taskPath } from "../frame/view-link.tsx";
import { fieldsOfInput, mistakesIn, type Offer } from "./order-input.ts";
import { ModeChoice, Split } from "./payment-fields.tsx";

type Mode = "TEST" | "LIVE";

/** The offer that the address names, as in `/workspace/service/new?offer=ofr_…`. */
export const useOrdered = (): string | null => useSearchParams().get("offer");

/**
 * An order on one page: what the offer is, what to work on, what it costs and is agreed, and one button. That is not there until the tab
 * is `identified`; what is typed before stays.
 */
export function Checkout({ offerId, identified = true }: { offerId: string; identified?: boolean }) {
  const { body, refusal } = useResource<{ offers: Offer[] }>(
    `offer:${offerId}`,
    () => readPublic<{ offers: Offer[] }>("agents/offers.php", { offer_id: offerId }),
    { everySeconds: 60 },
  );
  const [offer] = body?.offers ?? [];
  return (
    <section aria-labelledby="checkout">
      <h2 id="checkout" className="font-semibold text-27 [overflow-wrap:anywhere]">
        {offer ? `Order ${offer.skill}` : "Order"}
      </h2>
      {offer ? <Order key={offer.offer_id} offer={offer} identified={identified} /> : null}
      {offer || (!body && !refusal) ? null : (
        <p role="status" className="mt-2 max-w-measure text-17 text-danger">
          This offer is no longer available. <Link href="/offers">See all offers</Link>
        </p>
      )}
    </section>
  );
}

function Order({ offer, identified }: { offer: Offer; identified: boolean }) {
  const [mode, setMode] = useState<Mode>("TEST");
  const fields = fieldsOfInput(offer);
  const price = offer.price_pence;
  const parts: FormPart[] = [
    ({ refusal }) => {
      const error = fields.some(({ name }) => name === "input") ? undefined : refusal?.fieldErrors.input;
      return error ? <p className="text-danger">{error}</p> : null;
    },
    ...fields,
    { name: "note", label: "Note", rows: 2, hint: "What else the provider should know. At most 2,000 characters." },
    ({ errorOf }) => <ModeChoice error={errorOf("payment_mode")} />,
    () => (
      <div>
        <p className="text-21">
          <strong className="font-semibold">
            <Money pence={price} mode={mode} zero="Free" />
          </strong>{" "}
          <span className="text-15 text-muted">{price > 0 ? "in total" : "of charge"}</span>
        </p>
        <Split pounds={writePounds(price)} mode={mode} />
      </div>
    ),
  ];
  return (
    <>
      <Summary offer={offer} />
      <StepForm<z.output<typeof TaskAnswer>>
        path="jobs/order.php"
        about={{ offer_id: offer.offer_id, price_pence: price, revision: offer.revision }}
        parts={parts}
        more={(typed, { input }) => ({
          values: { payment_mode: textOf(typed, "payment_mode") || "TEST" },
          errors: mistakesIn(offer, fields, input),
        })}
        again=""
        draft={{ order: offer.offer_id }}
        action={price > 0 ? `Order for ${formatPence(price)}${mode === "TEST" ? ", simulated" : ""}` : "Order"}
        primary
        sends={identified}
        className="mt-6 max-w-140 space-y-5"
        onInput={(event) =>
          setMode(textOf(new FormData(event.currentTarget), "payment_mode") === "LIVE" ? "LIVE" : "TEST")
        }
        done={({ task }) => {
          refreshAll("tasks:");
          goTo(taskPath(task.task_id));
        }}
      />
      {identified ? (
        <p className="mt-3 max-w-measure text-13 text-muted">
          With the order you accept these terms. They bind both once the provider has claimed the order and accepted
          them; only then is there anything to pay.
        </p>
      ) : null}
    </>
  );
}

/** What the offer is, and the terms that come from it. */
function Summary({ offer }: { offer: Offer }) {
  const { agent, turnaround_hours: hours, review_days: days, acceptance_criteria: criteria, data_terms: data } = offer;
  return (
    <>
      {agent ? (
        <p className="mt-1 text-muted">
          From{" "}
          <Link href={`/agents/${agent.public_id}`}>
            <UserText text={agent.name} />
          </Link>{" "}
          <span className="[overflow-wrap:anywhere]">({agent.domain})</span>
        </p>
      ) : null}
      <div className="mt-3 line-clamp-4 text-17">
        <PostText text={offer.description} plain />
      </div>
      <OfferFacts offer={offer} />
      <details className="mt-3 max-w-measure border-rule border-s ps-4">
        <summary className="font-semibold">Terms of the order</summary>
        <Facts className="mt-2">
          <Fact term="Due">{hours ? `${hours} hours after the claim` : "No due date"}</Fact>
          {days ? <Fact term="Review">{days} days from each submission</Fact> : null}
          {criteria.length > 0 || offer.result_schema ? (
            <Fact term="Acceptance criteria">
              {criteria.map((criterion, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and keep their places
                <CriterionText key={place} criterion={criterion} />
              ))}
              {offer.result_schema ? (
                <CriterionText criterion={{ kind: "json_schema", schema: offer.result_schema }} />
              ) : null}
            </Fact>
          ) : null}
          <Fact term="Data terms">
            {data ??
              "The provider uses the input for this order alone, passes it to nobody, and deletes it after the task has ended."}
          </Fact>
        </Facts>
      </details>
    </>
  );
}

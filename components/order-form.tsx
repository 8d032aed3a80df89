import type { z } from "zod";
import type { Offer } from "#lib/identity/schema.ts";
import { Command } from "./command.tsx";
import { Fact, Facts } from "./facts.tsx";
import { PostText } from "./post-text/post-text.tsx";
import { dayWords } from "./timestamp/words.ts";

type Wire = z.output<typeof Offer>;

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** What an order of an offer takes, gives and agrees, where the offer says so. */
export function OrderForm({ offer }: { offer: Wire }) {
  const facts = factsOf(offer);
  const parts = [
    { caption: "Example input", value: offer.example_input },
    { caption: "Input schema", value: offer.input_schema },
    { caption: "Example result", value: offer.example_result },
    { caption: "Result schema", value: offer.result_schema },
  ].filter(({ value }) => value !== null && value !== undefined);
  if (facts.length === 0 && parts.length === 0) return null;
  return (
    <section aria-labelledby="order-form" className="mt-10">
      <h2 id="order-form" className="mb-2 font-semibold text-21">
        An order
      </h2>
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
    </section>
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

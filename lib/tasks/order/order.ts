import type { z } from "zod";
import { findOrderable, type OrderableOffer } from "#lib/identity/offers/show-offer.ts";
import { findActor } from "#lib/identity/read.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { misfit } from "#lib/kernel/criteria/json-fields.ts";
import { impossibleCriterion } from "#lib/kernel/criteria/needs-files.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, invalidInput, notFound } from "#lib/kernel/errors.ts";
import { countCharacters, normalizeText } from "#lib/kernel/text.ts";
import { type Draft, postOnce } from "../create.ts";
import { evaluateGates, requireGates } from "../gates.ts";
import type { PreparedTermsInput } from "../terms/schema.ts";
import { briefOf } from "./brief.ts";
import type { OrderInput } from "./schema.ts";

type Input = z.output<typeof OrderInput>;

const MOST_CHARACTERS = 20_000;
/** Data terms of an order whose offer has none. */
const USUAL_DATA_TERMS =
  "The provider uses the input for this order alone, passes it to nobody, and deletes it after the task has ended.";

/**
 * Orders an offer: `createTask` with everything filled in from it, and its terms prepared and accepted by the requester.
 * @throws ApiError not_found, offer_unavailable, offer_changed, invalid_input, and what `createTask` throws
 */
export function orderOffer(ctx: ServiceContext, input: Input) {
  return postOnce(ctx, "jobs/order", input, () => draftOf(ctx, input));
}

async function draftOf(ctx: ServiceContext, input: Input): Promise<Draft> {
  const offer = await findOrderable(input.offer_id, ctx.actor.id);
  if (!offer) throw notFound();
  if (offer.identityId === ctx.actor.id) throw invalidInput("offer_id", "must be another identity's offer");
  for (const action of ["order", "propose"] as const) requireGates(ctx.actor, action);
  await requireAvailable(ctx, offer);
  if (input.price_pence !== offer.pricePence || (input.revision ?? offer.revision) !== offer.revision)
    throw new ApiError(
      "offer_changed",
      "The offer has another price or revision by now. Read it again, and order with its present price_pence and revision.",
      { pricePence: offer.pricePence, revision: offer.revision },
    );
  requireLivePrice(offer, input);
  return {
    public_id: input.public_id,
    client_request_id: input.client_request_id,
    title: `Order: ${offer.skill}`,
    brief: requireBrief(offer, input),
    skill: offer.skill,
    budget_pence: offer.pricePence,
    visibility: input.visibility ?? "unlisted",
    payment_mode: input.payment_mode,
    provider_public_id: offer.identityId,
    terms: termsOf(offer),
    accept: true,
    offer: { offer_id: offer.id, revision: offer.revision },
    ...(input.expected_files === undefined ? {} : { expected_files: input.expected_files }),
  };
}

/** @throws ApiError invalid_input */
function requireBrief(offer: OrderableOffer, { input, note }: Input): string {
  const problem = offer.inputSchema ? misfit("input", offer.inputSchema, input) : undefined;
  if (problem) throw invalidInput(problem.path, problem.message);
  if (!offer.inputSchema && typeof input !== "string")
    throw invalidInput("input", "must be text, because this offer has no input_schema");
  const isText = !offer.inputSchema && typeof input === "string";
  const brief = briefOf(isText ? normalizeText(input) : input, !isText, note);
  if (!brief) throw invalidInput("input", "must not be empty");
  if (countCharacters(brief) > MOST_CHARACTERS)
    throw invalidInput("input", `must have at most ${MOST_CHARACTERS} characters together with the note`);
  return brief;
}

/** What `createTask` would refuse in fields that an order does not have. @throws ApiError invalid_input */
function requireLivePrice({ pricePence }: OrderableOffer, { payment_mode: mode }: Input): void {
  const { paymentMode, liveMinPence, liveMaxPence } = env();
  if (mode === "TEST" || paymentMode === "TEST" || (pricePence >= liveMinPence && pricePence <= liveMaxPence)) return;
  throw invalidInput(
    "payment_mode",
    `must be TEST for this offer: LIVE takes ${liveMinPence} to ${liveMaxPence} pence, and its price is ${pricePence}`,
  );
}

/** The terms of an order of this offer. */
function termsOf(offer: OrderableOffer): PreparedTermsInput {
  const { resultSchema, turnaroundHours, reviewDays } = offer;
  const criteria = offer.acceptanceCriteria ?? [];
  return {
    scope: [offer.description, `Input: ${offer.input}`, `Output: ${offer.output}`, `Limits: ${offer.limits}`].join(
      "\n\n",
    ),
    amount_pence: offer.pricePence,
    acceptance_criteria: resultSchema ? [...criteria, { kind: "json_schema", schema: resultSchema }] : criteria,
    data_terms: offer.dataTerms ?? USUAL_DATA_TERMS,
    ...(turnaroundHours === null ? {} : { due_in_hours: turnaroundHours }),
    ...(reviewDays === null ? {} : { review_days: reviewDays }),
  };
}

/** What everyone may know about why a provider can't take an order. All else is its own matter. */
const PUBLIC_REASONS: Record<string, string> = {
  domain: "The provider's domain is not verified at present, so it cannot take orders.",
  skills: "The provider no longer has the skill of this offer.",
};

/**
 * @throws ApiError offer_unavailable for a disabled offer, one that was made when this service had files and that nobody can meet without
 * them, and if a gate would refuse the provider's claim
 */
async function requireAvailable({ actor }: ServiceContext, offer: OrderableOffer): Promise<void> {
  if (impossibleCriterion(offer.acceptanceCriteria ?? []) >= 0)
    throw new ApiError(
      "offer_unavailable",
      "This offer's criteria are about files, and this service has none. Order another offer.",
      { reason: "files" },
    );
  const provider = offer.enabled ? await findActor(offer.identityId) : undefined;
  const deal = {
    amountPence: offer.pricePence,
    requester: { id: actor.id, host: offer.requesterHost, domain: actor.domainStatus },
    provider: { id: offer.identityId, host: null, domain: provider?.domainStatus ?? ("unverified" as const) },
    termsHash: null,
    approval: null,
  };
  const gates = provider
    ? evaluateGates(provider, "claim", {
        held: false,
        skill: offer.skill,
        requesterId: actor.id,
        dismissedIds: [],
        openTo: "claims",
        selectedProviderId: offer.identityId,
        deal,
      })
    : [];
  const failed = gates.find(({ passed }) => !passed);
  if (provider && !failed) return;
  const known = failed && Object.hasOwn(PUBLIC_REASONS, failed.gate) ? failed.gate : undefined;
  const why = provider
    ? ((known && PUBLIC_REASONS[known]) ?? "The provider cannot take this order at present.")
    : "This offer is disabled.";
  throw new ApiError("offer_unavailable", `${why} agents/match.php finds offers that can be ordered now.`, {
    reason: provider ? (known ?? "provider") : "disabled",
  });
}

import type { z } from "zod";
import { isDomainProved } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import { CURRENCY } from "#lib/kernel/money.ts";
import { isFresh } from "./directory/matching.ts";
import { orderLines } from "./offers/order-lines.ts";
import type { AgentRow, IdentityRow, ListedAgentRow, ListedOfferRow, OfferRow, ShownAgentRow } from "./row.ts";
import type * as schema from "./schema.ts";

type Wire<Shape extends z.ZodType> = z.output<Shape>;

/** Where the proof of an identity must be served; null without an endpoint. */
export function verificationUrl<Host extends string | null>(host: Host, publicId: string) {
  const url = host === null ? null : `https://${host}/.well-known/guildhall/${publicId}.txt`;
  return url as Host extends string ? string : null;
}

function publicFields<Row extends AgentRow>(row: Row, now: Date) {
  return {
    public_id: row.id,
    name: row.name,
    domain: row.host as Row["host"],
    description: row.description,
    skills: row.skills,
    endpoint: row.endpoint as Row["endpoint"],
    protocols: row.protocols,
    health_status: row.healthStatus ?? "offline",
    health_reported_at: iso(row.healthReportedAt),
    health_fresh: isFresh(row.healthReportedAt, now),
    created_at: iso(row.createdAt),
  } as const;
}

function publicVerification(row: AgentRow) {
  return {
    verified: isDomainProved(row.domainStatus),
    verification_status: row.domainStatus,
    verified_at: iso(row.verifiedAt),
    verification_checked_at: iso(row.domainCheckedAt),
  };
}

export function viewIdentity(row: IdentityRow, now: Date): Wire<typeof schema.Identity> {
  return {
    ...publicFields(row, now),
    public_profile: row.publicProfile,
    signing_key: viewSigningKey(row.signingKey),
    read_agent_card: row.readAgentCard,
    state: row.state,
    risk: row.risk,
    held: row.heldAt !== null,
    frozen: row.frozenAt !== null,
    denied_actions: row.deniedActions,
    verification: viewVerification(row),
  };
}

export function viewVerification(
  row: Pick<
    IdentityRow,
    "id" | "host" | "verificationToken" | "domainStatus" | "verifiedAt" | "domainCheckedAt" | "domainFailure"
  >,
): Wire<typeof schema.Verification> {
  return {
    url: verificationUrl(row.host, row.id),
    token: row.verificationToken,
    status: row.domainStatus,
    verified_at: iso(row.verifiedAt),
    checked_at: iso(row.domainCheckedAt),
    failure: row.domainFailure as Wire<typeof schema.ProbeFailureField> | null,
  };
}

export function viewAgent(
  row: ShownAgentRow,
  offers: OfferRow[],
  baseUrl: string,
  now: Date,
): Wire<typeof schema.Agent> {
  const { cardDigest, cardReadAt, cardValid, cardChangedAt } = row;
  const card = cardReadAt && {
    digest: cardDigest,
    read_at: iso(cardReadAt),
    valid: cardValid === true,
    changed_at: iso(cardChangedAt),
  };
  return {
    ...publicFields(row, now),
    ...publicVerification(row),
    ...(row.house ? { house: true as const } : {}),
    agent_card: card,
    signing_key: viewSigningKey(row.signingKey),
    offers: offers.map((offer) => {
      const shown = viewOffer(offer);
      return { ...shown, order: orderLines(shown, baseUrl) };
    }),
  };
}

/** The stored key as a JSON Web Key. */
export function viewSigningKey(x: string | null): Wire<typeof schema.SigningKey> | null {
  return x === null ? null : { kty: "OKP", crv: "Ed25519", x };
}

export function viewListedAgent(row: ListedAgentRow, now: Date): Wire<typeof schema.ListedAgent> {
  return {
    ...publicFields(row, now),
    ...publicVerification(row),
    offer_count: row.offerCount,
    lowest_price_pence: row.lowestPricePence,
  };
}

export function viewOffer(row: OfferRow): Wire<typeof schema.Offer> {
  return {
    offer_id: row.id,
    public_id: row.identityId,
    skill: row.skill,
    description: row.description,
    input: row.input,
    output: row.output,
    limits: row.limits,
    price_pence: row.pricePence,
    currency: CURRENCY,
    enabled: row.enabled,
    revision: row.revision,
    input_schema: row.inputSchema,
    result_schema: row.resultSchema,
    example_input: row.exampleInput,
    example_result: row.exampleResult,
    turnaround_hours: row.turnaroundHours,
    review_days: row.reviewDays,
    data_terms: row.dataTerms,
    acceptance_criteria: row.acceptanceCriteria ?? [],
    ...viewFacts(row.facts),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}

function viewFacts(facts: OfferRow["facts"]) {
  const seconds = (facts?.recentSeconds ?? []).toSorted((one, other) => one - other);
  const middle = seconds.length / 2;
  const median =
    seconds.length > 0 ? ((seconds[Math.ceil(middle) - 1] ?? 0) + (seconds[Math.floor(middle)] ?? 0)) / 2 : null;
  return {
    last_rehearsal: facts?.rehearsedAt
      ? {
          state: facts.rehearsalPassed ? ("passed" as const) : ("failed" as const),
          at: facts.rehearsedAt,
          seconds: facts.rehearsalSeconds,
          reason: facts.rehearsalReason,
        }
      : null,
    orders_completed: facts?.ordersCompleted ?? 0,
    last_completed_at: facts?.lastCompletedAt ?? null,
    median_hours: inHours(median),
    slowest_hours: inHours(seconds.at(-1) ?? null),
  };
}

const inHours = (seconds: number | null) => (seconds === null ? null : Math.round(seconds / 36) / 100);

export function viewListedOffer(row: ListedOfferRow): Wire<typeof schema.ListedOffer> {
  return { ...viewOffer(row), agent: { public_id: row.identityId, name: row.agentName, domain: row.agentHost } };
}

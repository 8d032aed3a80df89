import type { z } from "zod";
import { isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import { CURRENCY } from "#lib/kernel/money.ts";
import { type HealthStatus, isFresh } from "./matching.ts";
import type * as schema from "./schema.ts";

type Wire<Shape extends z.ZodType> = z.output<Shape>;

/** What every reader may see of an identity, with its latest health report. */
export type AgentRow = {
  id: string;
  name: string;
  description: string;
  skills: string[];
  endpoint: string;
  host: string;
  protocols: string[];
  domainStatus: ServiceActor["domainStatus"];
  verifiedAt: Date | null;
  domainCheckedAt: Date | null;
  createdAt: Date;
  healthStatus: HealthStatus | null;
  healthReportedAt: Date | null;
};

/** What only the identity itself sees. */
export type IdentityRow = AgentRow & {
  publicProfile: boolean;
  verificationToken: string;
  domainFailure: string | null;
  state: "active" | "suspended";
  risk: ServiceActor["risk"];
  heldAt: Date | null;
  leakedAt: Date | null;
  frozenAt: Date | null;
  deniedActions: string[];
  ownerId: string | null;
};

export type OfferRow = {
  id: string;
  identityId: string;
  skill: string;
  description: string;
  input: string;
  output: string;
  limits: string;
  pricePence: number;
  enabled: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** Where the proof of an identity must be served. */
export function verificationUrl(host: string, publicId: string): string {
  return `https://${host}/.well-known/guildhall/${publicId}.txt`;
}

function publicFields(row: AgentRow, now: Date) {
  return {
    public_id: row.id,
    name: row.name,
    domain: row.host,
    description: row.description,
    skills: row.skills,
    endpoint: row.endpoint,
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

export function viewAgent(row: AgentRow, offers: OfferRow[], now: Date): Wire<typeof schema.Agent> {
  return { ...publicFields(row, now), ...publicVerification(row), offers: offers.map(viewOffer) };
}

export function viewListedAgent(
  row: AgentRow & { offerCount: number; lowestPricePence: number | null },
  now: Date,
): Wire<typeof schema.ListedAgent> {
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
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}

export function viewListedOffer(
  row: OfferRow & { agentName: string; agentHost: string },
): Wire<typeof schema.ListedOffer> {
  return { ...viewOffer(row), agent: { public_id: row.identityId, name: row.agentName, domain: row.agentHost } };
}

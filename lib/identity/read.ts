import type { z } from "zod";
import { findByDigest } from "#lib/db/by-digest.ts";
import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { ACCESS_RESOURCES, accessOfActor, type ServiceActor } from "#lib/kernel/actor.ts";
import { iso, secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { SCOPE_NAMES } from "#lib/kernel/scopes.ts";
import type { Digests } from "#lib/kernel/secrets.ts";
import { SESSION_LIVES } from "./access.ts";
import { isEligible, type MatchingFacts, matchConditions } from "./directory/matching.ts";
import { type AccountStep, accountReadiness } from "./payment-account.ts";
import { MAX_QUOTA, quotaOf } from "./quotas.ts";
import { readiness } from "./readiness.ts";
import { ACTOR, IDENTITY, type IdentityRow, OFFER, SHOWN_AGENT, VISIBLE } from "./row.ts";
import type { EligibilityQuery } from "./schema.ts";
import { viewAgent, viewIdentity } from "./view.ts";

const actorByDigest = findByDigest(
  "identity_actor",
  ACTOR,
  (is) => `SELECT ${db.select(ACTOR)} FROM identities i WHERE i.token_digest ${is}`,
  { table: "identities", column: "token_digest" },
);

/** The identity whose management token has one of these digests, or undefined. Suspended ones are found too. */
export async function findServiceActor(token: Digests): Promise<ServiceActor | undefined> {
  const row = await actorByDigest(token);
  return row && { kind: "service", ...row, credential: { kind: "management", token } };
}

const ACCESS = {
  accessId: db.text.from("a.id"),
  accessName: db.text.from("a.name"),
  scopes: db.arrayOf(db.oneOf(...SCOPE_NAMES)).from("a.scopes"),
  maxPricePence: db.nullable(db.integer).from("a.max_price_pence"),
  expiresAt: db.timestamp.from("a.expires_at"),
  resource: db.nullable(db.oneOf(...ACCESS_RESOURCES)).from("a.resource"),
  sessionId: db.nullable(db.text).from("a.session_id"),
  lastUsedAt: db.nullable(db.timestamp).from("a.last_used_at"),
};

const actorByAccess = findByDigest(
  "identity_actor_by_access",
  { ...ACTOR, ...ACCESS },
  (is) =>
    `SELECT ${db.select({ ...ACTOR, ...ACCESS })} FROM access_tokens a JOIN identities i ON i.id = a.identity_id WHERE a.digest ${is} AND ${SESSION_LIVES}`,
  { table: "access_tokens", column: "digest" },
);

const noteUse = statement(
  "access.note_use",
  {},
  "UPDATE access_tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
);
/** The last use is known to the minute, so that polling causes few writes. */
const USE_SECONDS = 60;

/** The identity whose access token has one of these digests; undefined if there is none, it has expired, or its session has ended. */
export async function findAccessActor(token: Digests): Promise<ServiceActor | undefined> {
  const row = await actorByAccess(token);
  const now = systemClock.now();
  if (!row || row.expiresAt <= now) return undefined;
  const {
    accessId: id,
    accessName: name,
    scopes,
    maxPricePence,
    expiresAt,
    resource,
    sessionId,
    lastUsedAt,
    ...actor
  } = row;
  const before = secondsAfter(now, -USE_SECONDS);
  if (!lastUsedAt || lastUsedAt <= before) await noteUse(id, now, before);
  return {
    kind: "service",
    ...actor,
    credential: { kind: "access", id, name, scopes, maxPricePence, expiresAt, resource, sessionId },
  };
}

const actorById = statement(
  "identity_actor_by_id",
  ACTOR,
  `SELECT ${db.select(ACTOR)} FROM identities i WHERE i.id = $1`,
);

/** The identity as a caller, for its owner's read-only views; undefined when there is none. */
export async function findActor(publicId: string): Promise<ServiceActor | undefined> {
  const [row] = await actorById(publicId);
  return row && { kind: "service", ...row };
}

const actorsById = statement(
  "identity_actors_by_id",
  ACTOR,
  `SELECT ${db.select(ACTOR)} FROM identities i WHERE i.id = ANY ($1::text[])`,
);

/** Several of them, by their IDs. */
export async function findActors(publicIds: string[]): Promise<Map<string, ServiceActor>> {
  const rows = publicIds.length > 0 ? await actorsById(publicIds) : [];
  return new Map(rows.map((row) => [row.id, { kind: "service", ...row }]));
}

const identityById = statement(
  "identity_own",
  IDENTITY,
  `SELECT ${db.select(IDENTITY)} FROM identities i LEFT JOIN health_reports h ON h.identity_id = i.id WHERE i.id = $1`,
);

/** Everything about one identity, for itself and for the administrator; undefined when there is none. */
export async function findIdentity(publicId: string): Promise<IdentityRow | undefined> {
  const [row] = await identityById(publicId);
  return row;
}

/** The caller as it sees itself. */
export async function readOwnIdentity(ctx: ServiceContext) {
  return viewIdentity(await ownRow(ctx), ctx.clock.now());
}

async function ownRow(ctx: ServiceContext): Promise<IdentityRow> {
  const row = await findIdentity(ctx.actor.id);
  if (!row) throw notFound();
  return row;
}

const lowestPrices = statement(
  "identity_lowest_prices",
  { skill: db.text, pricePence: db.integer },
  `SELECT skill, min(price_pence) AS "pricePence" FROM offers WHERE identity_id = $1 AND enabled GROUP BY skill ORDER BY skill`,
);

/** What decides about matches of one identity; of the offers for a skill only the cheapest. */
async function readMatchingFacts(row: IdentityRow): Promise<MatchingFacts> {
  return {
    suspended: row.state === "suspended",
    leaked: row.leakedAt !== null,
    frozen: row.frozenAt !== null,
    held: row.heldAt !== null,
    domainStatus: row.domainStatus,
    hasEndpoint: row.endpoint !== null,
    publicProfile: row.publicProfile,
    skills: row.skills,
    offers: await lowestPrices(row.id),
    health: row.healthStatus && row.healthReportedAt && { status: row.healthStatus, reportedAt: row.healthReportedAt },
  };
}

// Open tasks are counted in the words of their index (see migration quotas).
const quotaFacts = statement(
  "identity_quotas",
  {
    domainStatus: db.domainStatus,
    offerQuota: db.nullable(db.integer),
    taskQuota: db.nullable(db.integer),
    offers: db.integer,
    tasks: db.integer,
  },
  `SELECT i.domain_status AS "domainStatus", i.offer_quota AS "offerQuota", i.task_quota AS "taskQuota",
     (SELECT count(*)::int FROM (
       SELECT FROM offers o WHERE o.identity_id = i.id AND o.enabled LIMIT ${MAX_QUOTA}) counted) AS offers,
     (SELECT count(*)::int FROM (
       SELECT FROM tasks t WHERE t.requester_id = i.id AND t.state <= 'open' AND t.expires_at > $2 LIMIT ${MAX_QUOTA}) counted) AS tasks
   FROM identities i WHERE i.id = $1`,
);

/** An identity's quotas and how much of each it uses (counted up to MAX_QUOTA); undefined if there is no such identity. */
export async function findQuotas(publicId: string, now: Date) {
  const [facts] = await quotaFacts(publicId, now);
  return (
    facts && {
      offers: { used: facts.offers, limit: quotaOf("offers", facts) },
      tasks: { used: facts.tasks, limit: quotaOf("tasks", facts) },
    }
  );
}

/** What an identity's payment account still needs, as of the last time Stripe was asked. */
async function readAccountSteps(identityId: string): Promise<AccountStep[]> {
  return accountReadiness(identityId, await prisma().paymentAccount.findUnique({ where: { identityId } }));
}

const webhookState = statement(
  "identity_webhook",
  {
    enabled: db.boolean,
    reason: db.nullable(db.webhookDisabledReason),
    detail: db.nullable(db.text),
    isFailing: db.boolean,
    disabledAt: db.nullable(db.timestamp),
  },
  `SELECT enabled, disabled_reason AS reason, last_error AS detail, failing_since IS NOT NULL AS "isFailing",
     disabled_at AS "disabledAt"
   FROM webhooks WHERE identity_id = $1`,
);

async function readWebhookState(identityId: string) {
  const [row] = await webhookState(identityId);
  if (!row) return null;
  const { enabled, isFailing, reason, detail, disabledAt } = row;
  const state = enabled ? (isFailing ? "failing" : "active") : "disabled";
  return { state, reason, detail, disabled_at: iso(disabledAt) } as const;
}

/** How the caller proved who it is. A management token has no name, bounds or end. */
function viewCredential(actor: ServiceActor) {
  const access = accessOfActor(actor);
  return access
    ? ({ kind: "access", name: access.name, scopes: access.scopes, expires_at: iso(access.expiresAt) } as const)
    : ({ kind: "management", name: null, scopes: null, expires_at: null } as const);
}

/** The caller, what it still has to set up, its quotas, and whether an owner account is linked to it. */
export async function readMe(ctx: ServiceContext) {
  const now = ctx.clock.now();
  const row = await ownRow(ctx);
  const { risk, held, deniedActions } = ctx.actor;
  const quotas = await findQuotas(row.id, now);
  if (!quotas) throw notFound();
  const account = env().stripe ? await readAccountSteps(row.id) : [];
  return {
    identity: viewIdentity(row, now),
    readiness: readiness({ ...(await readMatchingFacts(row)), risk, held, deniedActions, account }, now),
    quotas,
    owner_linked: row.ownerId !== null,
    webhook: await readWebhookState(row.id),
    credential: viewCredential(ctx.actor),
  };
}

/** Why the caller is, or is not, matched with a customer who wants this skill for this budget. */
export async function eligibility(ctx: ServiceContext, input: z.output<typeof EligibilityQuery>) {
  const facts = await readMatchingFacts(await ownRow(ctx));
  const conditions = matchConditions(facts, { skill: input.skill, budgetPence: input.budget_pence }, ctx.clock.now());
  return { eligible: isEligible(conditions), conditions };
}

const visibleAgent = statement(
  "identity_show",
  SHOWN_AGENT,
  `SELECT ${db.select(SHOWN_AGENT)} FROM identities i LEFT JOIN health_reports h ON h.identity_id = i.id WHERE i.id = $1 AND ${VISIBLE}`,
);

const SHOWN_OFFERS = 100;

const enabledOffers = statement(
  "identity_show_offers",
  OFFER,
  `SELECT ${db.select(OFFER)} FROM offers o WHERE o.identity_id = $1 AND o.enabled ORDER BY o.seq DESC LIMIT ${SHOWN_OFFERS}`,
);

/**
 * One public profile with its newest enabled offers.
 * @throws ApiError not_found when there is none, or it is hidden or suspended
 */
export async function showAgent(ctx: Context, input: { public_id: string }) {
  const [[row], offers] = await Promise.all([visibleAgent(input.public_id), enabledOffers(input.public_id)]);
  if (!row) throw notFound();
  return { agent: viewAgent(row, offers, env().baseUrl, ctx.clock.now()) };
}

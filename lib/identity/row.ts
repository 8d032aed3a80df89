import * as db from "#lib/db/columns.ts";
import type { OwnerLimits } from "#lib/kernel/actor.ts";
import type { Criterion } from "#lib/kernel/criteria/schema.ts";

/** An identity's risk: its own or its host's, whichever is higher; `i` stands for identities. */
export const RISK = "greatest(i.risk, i.host_risk)";
/** When an administrator began to hold an identity or its host. */
export const HELD_AT = "least(i.held_at, i.host_held_at)";

/** Identities that everyone may find: a public profile, not suspended. Their domain need not be proved. */
export const VISIBLE = "i.public_profile AND i.state = 'active'";
/** The domain counts as proved. `isDomainProved` says the same. */
export const PROVED = "i.domain_status IN ('verified', 'grace')";
/**
 * Identities that lists and matches show. The wording must match the directory's partial index; `mark_offers` in the database
 * repeats the condition for offers.
 */
export const LISTED = `${VISIBLE} AND ${PROVED}`;

/**
 * Identities that can act: the token has not leaked, and neither the owner nor an administrator has stopped it or its host. `active`
 * in matching.ts says the same.
 */
export const ACTING = `i.leaked_at IS NULL AND i.frozen_at IS NULL AND ${HELD_AT} IS NULL`;

/** The caller, as its management token proves it; `i` stands for identities. */
export const ACTOR = {
  id: db.text.from("i.id"),
  name: db.text.from("i.name"),
  skills: db.arrayOf(db.text).from("i.skills"),
  domainStatus: db.domainStatus.from("i.domain_status"),
  hasEndpoint: db.boolean.from("i.endpoint IS NOT NULL"),
  risk: db.risk.from(RISK),
  suspended: db.boolean.from("i.state = 'suspended'"),
  held: db.boolean.from(`${HELD_AT} IS NOT NULL`),
  heldByHost: db.boolean.from("i.held_at IS NULL AND i.host_held_at IS NOT NULL"),
  leaked: db.boolean.from("i.leaked_at IS NOT NULL"),
  frozen: db.boolean.from("i.frozen_at IS NOT NULL"),
  deniedActions: db.arrayOf(db.text).from("i.denied_actions"),
  offerQuota: db.nullable(db.integer).from("i.offer_quota"),
  taskQuota: db.nullable(db.integer).from("i.task_quota"),
  ownerLimits: db.nullable(db.jsonb<OwnerLimits>()).from(`(SELECT jsonb_build_object('perTaskPence', o.per_task_pence,
    'perDayPence', o.per_day_pence, 'askAbovePence', o.ask_above_pence, 'allowed', o.allowed, 'blocked', o.blocked,
    'spentTodayPence', coalesce((SELECT d.pence FROM owner_spending d
      WHERE d.identity_id = o.identity_id AND d.day = (now() AT TIME ZONE 'UTC')::date), 0))
    FROM owner_limits o WHERE o.identity_id = i.id AND i.owner_id IS NOT NULL)`),
};

/** What every reader may see of an identity, with its latest health report; `i` stands for identities, `h` for health_reports. */
const AGENT = {
  id: db.text.from("i.id"),
  name: db.text.from("i.name"),
  description: db.text.from("i.description"),
  skills: db.arrayOf(db.text).from("i.skills"),
  endpoint: db.nullable(db.text).from("i.endpoint"),
  host: db.nullable(db.text).from("i.host"),
  protocols: db.arrayOf(db.text).from("i.protocols"),
  domainStatus: db.domainStatus.from("i.domain_status"),
  verifiedAt: db.nullable(db.timestamp).from("i.verified_at"),
  domainCheckedAt: db.nullable(db.timestamp).from("i.domain_checked_at"),
  createdAt: db.timestamp.from("i.created_at"),
  healthStatus: db.nullable(db.healthStatus).from("h.status"),
  healthReportedAt: db.nullable(db.timestamp).from("h.reported_at"),
};
export type AgentRow = db.RowOf<typeof AGENT>;

/** What the profile of an agent shows. */
export const SHOWN_AGENT = {
  ...AGENT,
  house: db.nullable(db.boolean).from("i.house"),
  signingKey: db.nullable(db.text).from("i.signing_key"),
  cardDigest: db.nullable(db.text).from("i.agent_card_digest"),
  cardReadAt: db.nullable(db.timestamp).from("i.agent_card_read_at"),
  cardValid: db.nullable(db.boolean).from("i.agent_card_valid"),
  cardChangedAt: db.nullable(db.timestamp).from("i.agent_card_changed_at"),
};
export type ShownAgentRow = db.RowOf<typeof SHOWN_AGENT>;

/** What the identity itself and the administrator see. */
export const IDENTITY = {
  ...AGENT,
  signingKey: db.nullable(db.text).from("i.signing_key"),
  readAgentCard: db.boolean.from("i.read_agent_card"),
  publicProfile: db.boolean.from("i.public_profile"),
  verificationToken: db.text.from("i.verification_token"),
  domainFailure: db.nullable(db.text).from("i.domain_failure"),
  state: db.identityState.from("i.state"),
  risk: db.risk.from(RISK),
  heldAt: db.nullable(db.timestamp).from(HELD_AT),
  leakedAt: db.nullable(db.timestamp).from("i.leaked_at"),
  frozenAt: db.nullable(db.timestamp).from("i.frozen_at"),
  deniedActions: db.arrayOf(db.text).from("i.denied_actions"),
  ownerId: db.nullable(db.text).from("i.owner_id"),
};
export type IdentityRow = db.RowOf<typeof IDENTITY>;

/** An offer; `o` stands for offers. */
export const OFFER = {
  id: db.text.from("o.id"),
  identityId: db.text.from("o.identity_id"),
  skill: db.text.from("o.skill"),
  description: db.text.from("o.description"),
  input: db.text.from("o.input"),
  output: db.text.from("o.output"),
  limits: db.text.from("o.limits"),
  pricePence: db.integer.from("o.price_pence"),
  enabled: db.boolean.from("o.enabled"),
  revision: db.integer.from("o.revision"),
  inputSchema: db.nullable(db.jsonb<Record<string, unknown>>()).from("o.input_schema"),
  resultSchema: db.nullable(db.jsonb<Record<string, unknown>>()).from("o.result_schema"),
  exampleInput: db.nullable(db.jsonb<unknown>()).from("o.example_input"),
  exampleResult: db.nullable(db.jsonb<unknown>()).from("o.example_result"),
  turnaroundHours: db.nullable(db.integer).from("o.turnaround_hours"),
  reviewDays: db.nullable(db.integer).from("o.review_days"),
  dataTerms: db.nullable(db.text).from("o.data_terms"),
  acceptanceCriteria: db.nullable(db.jsonb<Criterion[]>()).from("o.acceptance_criteria"),
  /** What is known from its orders; null while it had none. */
  facts: db.nullable(db.jsonb<OfferFacts>()).from(`(SELECT jsonb_build_object('ordersCompleted', f.orders_completed,
    'lastCompletedAt', to_char(f.last_completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'recentSeconds', f.recent_seconds, 'rehearsalPassed', f.rehearsal_passed,
    'rehearsedAt', to_char(f.rehearsed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'rehearsalSeconds', f.rehearsal_seconds, 'rehearsalReason', f.rehearsal_reason) FROM offer_facts f WHERE f.offer_id = o.id)`),
  createdAt: db.timestamp.from("o.created_at"),
  updatedAt: db.timestamp.from("o.updated_at"),
};
type OfferFacts = { ordersCompleted: number; lastCompletedAt: string | null; recentSeconds: number[] } & Rehearsed;
/** The last rehearsal that had a result; all null before one. */
type Rehearsed = {
  rehearsalPassed: boolean | null;
  rehearsedAt: string | null;
  rehearsalSeconds: number | null;
  rehearsalReason: string | null;
};
export type OfferRow = db.RowOf<typeof OFFER>;

/** An offer in a list of several agents' offers. */
export const LISTED_OFFER = {
  ...OFFER,
  agentName: db.text.from("i.name"),
  // Never empty: an identity without an endpoint cannot publish an offer.
  agentHost: db.text.from("coalesce(i.host, '')"),
};
export type ListedOfferRow = db.RowOf<typeof LISTED_OFFER>;

/** An agent in the directory; `priced` stands for what `AGENT_LIST` counts. */
export const LISTED_AGENT = {
  ...AGENT,
  // Never empty: only a proved domain is listed, and the database lets none be proved without an endpoint.
  endpoint: db.text.from("coalesce(i.endpoint, '')"),
  host: db.text.from("coalesce(i.host, '')"),
  offerCount: db.integer.from("priced.offers"),
  lowestPricePence: db.nullable(db.integer).from("priced.lowest"),
};
export type ListedAgentRow = db.RowOf<typeof LISTED_AGENT>;

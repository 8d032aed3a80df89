import { z } from "zod";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import {
  Cursor,
  credential,
  HealthStatusField,
  IgnoredRequestId,
  Limit,
  NextCursor,
  PublicId,
  Query,
  QueryPence,
  Skill,
  Timestamp,
} from "#lib/kernel/fields.ts";
import { OrderInput } from "./offers/order-input.ts";
import {
  Agent,
  Condition,
  Description,
  EndpointUrl,
  Identity,
  IdentityName,
  ListedAgent,
  ListedOffer,
  Match,
  Offer,
  Offered,
  OfferId,
  Protocols,
  QuotaUse,
  ReadinessStep,
  ScopeField,
  SigningKeyInput,
  Skills,
  Verification,
  WebhookState,
} from "./shapes.ts";

export * from "./shapes.ts";

// Requests

/** Text in the request; parsed into the normalised URL and its host name. */
const EndpointInput = EndpointUrl.transform((value, ctx) => {
  const parsed = parsePublicHttpsUrl(value);
  if (parsed.ok) return { url: parsed.url, host: parsed.host };
  ctx.addIssue({ code: "custom", message: parsed.reason });
  return z.NEVER;
});

export const OwnIdentity = z.object({ public_id: PublicId });
export const OwnIdentityBody = z.strictObject({ public_id: PublicId });

export const RegisterInput = z.strictObject({
  name: IdentityName,
  description: Description,
  skills: Skills.optional().meta({
    description: "At most 20 skills; duplicates are removed. Default: none, which suits who only orders work.",
  }),
  endpoint: EndpointInput.optional().meta({
    description:
      "An https: URL whose host is a public DNS name. At most 500 characters, without credentials. Default: none; then the identity can order work, but not take it, until agents/profile.php sets one and its domain is verified.",
  }),
  operator_authorized: z.boolean().optional().meta({
    description: "Must be true: the agent's operator authorises this registration. Otherwise 403 consent_required.",
  }),
  protocols: Protocols.default([]),
  public_profile: z
    .boolean()
    .default(true)
    .meta({ description: "Whether others can find the profile. Default: true." }),
  client_request_id: IgnoredRequestId.optional(),
});

/** Without the authorisation the answer is 403. */
export const PublishedRegisterInput = RegisterInput.extend({
  operator_authorized: z.literal(true).meta({
    description: "The agent's operator authorises this registration. Anything but true is 403 `consent_required`.",
  }),
});

export const HeartbeatInput = z.strictObject({ public_id: PublicId, health_status: HealthStatusField });

export const ProfileInput = z
  .strictObject({
    public_id: PublicId,
    name: IdentityName.optional(),
    description: Description.optional(),
    endpoint: EndpointInput.optional(),
    protocols: Protocols.optional(),
    public_profile: z.boolean().optional().describe("Whether others can find the profile. Default: unchanged."),
    signing_key: SigningKeyInput.nullable().optional().meta({
      description:
        "Public Ed25519 key with which you may sign acceptances and results, as a JSON Web Key. Members of a private key, such as d, are refused; others are ignored. Taken only while your domain is verified. null removes it. Default: unchanged.",
    }),
    read_agent_card: z
      .boolean()
      .optional()
      .describe(
        "Whether domain checks also read /.well-known/agent-card.json of the endpoint's host. true: the daily check reads it too, and the profile shows what was found. false: it is not read, and what was found is removed. Default: unchanged; false at first.",
      ),
  })
  .refine((input) => Object.keys(input).length > 1, {
    path: ["body"],
    message:
      "must hold at least one of name, description, endpoint, protocols, public_profile, signing_key and read_agent_card",
  })
  .meta({ minProperties: 2 });

export const SkillsInput = z.strictObject({ public_id: PublicId, skills: Skills });

export const OfferInput = z.strictObject({
  public_id: PublicId,
  ...Offered,
  offer_id: OfferId.optional(),
  ...OrderInput,
});

export const OffersQuery = z.object({
  public_id: PublicId.optional(),
  offer_id: OfferId.optional().describe(
    "Only this offer, of any public identity; the other parameters then mean nothing.",
  ),
  q: Query.optional(),
  skill: Skill.optional(),
  max_price_pence: QueryPence.optional().describe("Only offers up to this price, in pence. Default: no limit."),
  cursor: Cursor.optional(),
  limit: Limit,
});

export const MyOffersQuery = z.object({ public_id: PublicId, cursor: Cursor.optional(), limit: Limit });

const HasSchema = z.literal("1").optional();

export const DirectoryQuery = z.object({
  q: Query.optional(),
  skill: Skill.optional(),
  available: z
    .literal("1")
    .optional()
    .meta({ description: "1: only those that reported available within the last 15 minutes." }),
  has_schema: HasSchema.describe("1: only those with an enabled offer that has an input_schema."),
  cursor: Cursor.optional(),
  limit: Limit,
});

const Budget = QueryPence.describe("The most that one task may cost, in pence.");

export const MatchQuery = z.object({
  skill: Skill,
  budget_pence: Budget,
  has_schema: HasSchema.describe("1: only offers that have an input_schema, so that an order can be checked."),
  limit: Limit,
});

export const EligibilityQuery = z.object({ public_id: PublicId, skill: Skill, budget_pence: Budget });

export const LeakInput = z.strictObject({
  secret: credential("The management token, community key or claim link that leaked. Text around it is ignored.").meta({
    // As long as a body may be: what was found is often sent with much around it.
    maxLength: 262_144,
  }),
});

// Answers

export const RegisterAnswer = z.object({
  public_id: PublicId,
  management_token: z.string().meta({ description: "Secret; shown only once. It cannot be recovered or rotated." }),
  verification: Verification.pick({ url: true, token: true, status: true }).meta({
    id: "VerificationTask",
    description: "The proof to serve on the domain.",
  }),
});
export const VerifyAnswer = z.object({ verification: Verification });
export const HeartbeatAnswer = z.object({
  health_status: HealthStatusField,
  reported_at: Timestamp.describe("Time of this report."),
  fresh_until: Timestamp.describe("The report counts as fresh until this time."),
  next_in_seconds: z.int().meta({ description: "Send the next report after this many seconds, while ready." }),
});
export const IdentityAnswer = z.object({ identity: Identity });
export const SkillsAnswer = z.object({
  identity: Identity,
  disabled_offers: z.array(OfferId).meta({ description: "Offers that were disabled because their skill was removed." }),
});
export const OfferAnswer = z.object({ offer: Offer });
export const MeAnswer = z.object({
  identity: Identity,
  readiness: z.array(ReadinessStep).describe("The steps of setting up, done or not, each with its remedy."),
  quotas: z
    .object({
      offers: QuotaUse.describe("Enabled offers."),
      tasks: QuotaUse.describe("Open tasks that the identity requested and that have not expired."),
    })
    .meta({
      description: "offers: enabled offers. tasks: open tasks that the identity requested and that have not expired.",
    }),
  owner_linked: z.boolean().meta({ description: "An owner account is linked to this identity." }),
  webhook: WebhookState.nullable().meta({ description: "State of the identity's webhook; null if it has none." }),
  credential: z
    .object({
      kind: z.enum(["management", "access"]).describe("management: the management token. access: an access token."),
      name: z.string().nullable().describe("Name of the access token; null for the management token."),
      scopes: z.array(ScopeField).nullable().describe("What the access token allows; null for the management token."),
      expires_at: Timestamp.nullable().describe("When the access token expires; null for the management token."),
    })
    .meta({ id: "OwnCredential", description: "The credential of this call." }),
});
export const AgentAnswer = z.object({ agent: Agent });
export const DirectoryAnswer = z.object({
  agents: z.array(ListedAgent).describe("One page of agents."),
  next_cursor: NextCursor,
});
export const OffersAnswer = z.object({
  offers: z.array(ListedOffer).describe("One page of offers."),
  next_cursor: NextCursor,
});
export const MyOffersAnswer = z.object({
  offers: z.array(Offer).describe("One page of offers."),
  next_cursor: NextCursor,
});
export const MatchAnswer = z.object({
  matches: z.array(Match).describe("Agents that are eligible now, each with its offer."),
});
export const LeakAnswer = z.object({
  accepted: z.literal(true).meta({ description: "Always true; it doesn't say whether a secret was found." }),
});
export const EligibilityAnswer = z.object({
  eligible: z.boolean().describe("Whether all conditions are met."),
  conditions: z.array(Condition).describe("Each condition, evaluated separately."),
});

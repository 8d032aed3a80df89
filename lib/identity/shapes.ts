import { z } from "zod";
import { FrozenCriterion } from "#lib/kernel/criteria/schema.ts";
import { Currency, HealthStatusField, id, line, Pence, PublicId, Skill, Timestamp, text } from "#lib/kernel/fields.ts";
import { SCOPE_NAMES, SCOPES } from "#lib/kernel/scopes.ts";

// Fields

export const ScopeField = z.enum(SCOPE_NAMES).meta({
  id: "Scope",
  description: Object.entries(SCOPES)
    .map(([name, words]) => `${name}: ${words}.`)
    .join(" "),
});

export const IdentityName = line(100, 2).meta({
  description: "Name to show to people: 2 to 100 characters on one line.",
});
export const Description = text(2_000).meta({ description: "What the service does, 1 to 2,000 characters." });
export const Skills = z.array(Skill).max(20).meta({ description: "At most 20 skills; duplicates are removed." });
export const Protocols = z.array(line(60)).max(10).meta({
  description:
    "At most 10 labels of up to 60 characters. The operator declares them; this service does not check them.",
});
export const OfferId = id("ofr");
export const OfferText = text(1_000);
export const DomainStatusField = z.enum(["unverified", "verified", "grace", "lapsed"]).meta({
  description:
    "unverified: never proved. verified. grace: proved, but the latest of the daily checks failed. lapsed: three checks in a row failed.",
});
export const ProbeFailureField = z.enum([
  "dns",
  "refused_address",
  "unreachable",
  "tls",
  "timeout",
  "redirect",
  "status",
  "too_large",
  "mismatch",
]);

export const EndpointUrl = z.string().meta({
  format: "uri",
  maxLength: 500,
  description: "An https: URL whose host is a public DNS name. At most 500 characters, without credentials.",
});

const Count = z.int().min(0);
const HealthReportedAt = Timestamp.nullable();
const HealthFresh = z.boolean().meta({ description: "Reported within the last 15 minutes." });
const VerifiedAt = Timestamp.nullable().meta({
  description: "When control of the domain was first proved; it stays when the proof lapses.",
});
const CheckedAt = Timestamp.nullable().meta({ description: "When the domain was last checked." });

// Shapes

export const Verification = z
  .object({
    url: z.string().nullable().meta({
      description:
        "Serve the token at this URL, over HTTPS, without a redirect or login. null while the identity has no endpoint.",
    }),
    token: z
      .string()
      .meta({ description: "The text to serve as proof. It is public, and is not the management token." }),
    status: DomainStatusField,
    verified_at: VerifiedAt,
    checked_at: CheckedAt,
    failure: ProbeFailureField.nullable().meta({ description: "Why the latest check failed; null after a success." }),
  })
  .meta({ id: "Verification", description: "State and proof of the domain." });

/** The content of an offer, without its identity and times. */
export const Offered = {
  offer_id: OfferId,
  skill: Skill,
  description: text(2_000).meta({ description: "What you do for the price, 1 to 2,000 characters." }),
  input: OfferText.describe("What the service accepts. At most 1,000 characters."),
  output: OfferText.describe("What the service returns. At most 1,000 characters."),
  limits: OfferText.describe("What the service does not do, or only up to a bound. At most 1,000 characters."),
  price_pence: Pence.meta({ description: "The total price of one task, in pence. 0 is allowed, for a free pilot." }),
  enabled: z.boolean().describe("Whether the offer is open for work."),
};

const JsonObject = z.record(z.string(), z.unknown());

/** What an order of the offer takes and gives, and the terms that it gets by default. */
const OrderForm = {
  revision: z
    .int()
    .min(1)
    .describe(
      "Grows with every change of the offer but of enabled. An order names the revision that it was made from.",
    ),
  input_schema: JsonObject.nullable().describe("JSON Schema of an order's input; null if the input is text."),
  result_schema: JsonObject.nullable().describe(
    "JSON Schema of the result, against which the service checks each submission; null if there is none.",
  ),
  example_input: z.unknown().describe("An input as an order may have it; null if there is none."),
  example_result: z.unknown().describe("A result as an order may get it; null if there is none."),
  turnaround_hours: z
    .int()
    .nullable()
    .describe("Hours from the proposal of an order's agreement until the work is due; null: no due date."),
  review_days: z.int().nullable().describe("Review period of an order, in days; null: none."),
  data_terms: z.string().nullable().describe("Data terms of an order; null: the service's usual ones."),
  acceptance_criteria: z
    .array(FrozenCriterion)
    .describe("Acceptance criteria of an order, beside the one that follows from result_schema."),
};

/** What is known of an offer from its orders. */
const OrderFacts = {
  orders_completed: Count.describe("Orders of the offer that were completed."),
  last_completed_at: Timestamp.nullable().describe("When the last of them was completed; null while there is none."),
  median_hours: z
    .number()
    .min(0)
    .nullable()
    .describe(
      "Median of the hours from the proposal of the agreement to the submission, of the last 20 completed orders; null while there is none.",
    ),
  last_rehearsal: z
    .object({
      state: z
        .enum(["passed", "failed"])
        .describe("passed: the result fitted result_schema. failed: it did not, or the agent left the task."),
      at: Timestamp.describe("When it ended."),
      seconds: z.int().nullable().describe("Seconds from the order to the result; null without one."),
      reason: z.string().nullable().describe("What failed; null after a pass."),
    })
    .nullable()
    .describe("The last rehearsal of the offer that had a result; null before one."),
  slowest_hours: z
    .number()
    .min(0)
    .nullable()
    .describe("The longest of these times, in hours; null while there is none."),
};

export const Offer = z
  .object({
    ...Offered,
    ...OrderForm,
    ...OrderFacts,
    public_id: PublicId,
    currency: Currency,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Offer", description: "Work at a price, as an agent offers it." });

/** An enabled offer, and how to order it. */
export const ShownOffer = Offer.extend({
  order: z
    .object({
      curl: z
        .string()
        .describe("A command that orders it, with the variables GUILDHALL_TOKEN and GUILDHALL_PUBLIC_ID."),
      sdk: z.string().describe("The same as a line for the TypeScript SDK."),
    })
    .describe("Ready lines that order the offer, with its example as input if it has a short one."),
}).meta({ id: "ShownOffer", description: "An enabled offer, and how to order it." });

/** An agent's name and domain, and the ID to look up the rest. */
export const AgentName = z
  .object({
    public_id: PublicId,
    name: z.string().describe("Name to show to people."),
    domain: z.string().meta({ description: "Host name of the endpoint." }),
  })
  .meta({ id: "AgentName", description: "An agent's name and domain." });

export const ListedOffer = Offer.extend({ agent: AgentName }).meta({
  id: "ListedOffer",
  description: "An enabled offer, with the agent that makes it.",
});

/** What an identity need not have, as long as it only orders work. */
const OptionalDomain = {
  domain: z.string().nullable().meta({ description: "Host name of the endpoint; null while there is none." }),
  endpoint: EndpointUrl.nullable().meta({
    description: "An https: URL. null: the identity has none, so it can order work, but not take it.",
  }),
};

const PublicFields = {
  ...AgentName.shape,
  description: Description,
  skills: Skills,
  endpoint: EndpointUrl,
  protocols: Protocols,
  health_status: HealthStatusField.meta({ description: "As last reported; offline before the first report." }),
  health_reported_at: HealthReportedAt.describe("Time of the latest health report; null if there was none."),
  health_fresh: HealthFresh,
  created_at: Timestamp.describe("Time of creation."),
};

const PublicVerification = {
  verified: z.boolean().meta({
    description:
      "Whether control of the domain is proved (verified or grace). It says nothing about the quality of the service.",
  }),
  verification_status: DomainStatusField,
  verified_at: VerifiedAt,
  verification_checked_at: CheckedAt,
};

const AgentCardFacts = z
  .object({
    digest: z
      .string()
      .nullable()
      .describe("sha256: and 64 hexadecimal digits, of the last card that was found; null if no card was ever found."),
    read_at: Timestamp.describe("When the card was last looked for."),
    valid: z.boolean().describe("Whether it was found then, and had the form of an A2A 1.0 agent card."),
    changed_at: Timestamp.nullable().describe("When the card last changed; null if it never has."),
  })
  .meta({
    id: "AgentCardFacts",
    description: "What the latest domain check found at the agent's own A2A card. It decides nothing.",
  });

/** The last character of 32 bytes in base64url carries two bits that must be zero. */
const KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** A public Ed25519 key as a JSON Web Key (RFC 8037). */
export const SigningKey = z
  .object({
    kty: z.literal("OKP").meta({ description: "Always OKP." }),
    crv: z.literal("Ed25519").meta({ description: "Always Ed25519." }),
    x: z.string().regex(KEY, "must be 32 bytes in base64url without padding").meta({
      description: "The public key: 32 bytes in base64url without padding, 43 characters.",
    }),
  })
  .meta({ id: "SigningKey", description: "Public Ed25519 key as a JSON Web Key (RFC 8037)." });

/** What only a private or symmetric JSON Web Key has (RFC 7518, RFC 8037). */
const PRIVATE_MEMBERS = ["d", "k", "p", "q", "dp", "dq", "qi", "oth"];

/** The same as input. A key whose private part came with it is exposed, whatever is stored of it. */
export const SigningKeyInput = z.preprocess((value, ctx) => {
  const member = PRIVATE_MEMBERS.find((name) => typeof value === "object" && value !== null && name in value);
  if (member)
    ctx.addIssue({
      code: "custom",
      message: `must be a public key, without ${member}. What you sent holds the private key, which is exposed now: make a new key, and send only its kty, crv and x`,
    });
  return value;
}, SigningKey);

const PublishedKey = SigningKey.nullable().meta({
  description: "The key with which this identity signs acceptances and results; null if it has published none.",
});

export const Agent = z
  .object({
    ...PublicFields,
    ...OptionalDomain,
    ...PublicVerification,
    house: z
      .literal(true)
      .optional()
      .describe("Only where it is this installation's own identity, which orders rehearsals."),
    agent_card: AgentCardFacts.nullable().meta({
      description:
        "What was found at /.well-known/agent-card.json of the agent's host; null if it is not read (see read_agent_card), or has not been yet.",
    }),
    signing_key: PublishedKey,
    offers: z
      .array(ShownOffer)
      .meta({ description: "Enabled offers, newest first, at most 100; offers.php lists them all." }),
  })
  .meta({ id: "Agent", description: "A service identity as everyone sees it." });

export const ListedAgent = z
  .object({
    ...PublicFields,
    ...PublicVerification,
    offer_count: Count.meta({ description: "The number of enabled offers." }),
    lowest_price_pence: Pence.nullable().meta({
      description: "The lowest price among the enabled offers, in pence; null if there are none.",
    }),
  })
  .meta({ id: "ListedAgent", description: "A service identity as the directory lists it." });

/** An identity as it sees itself. */
export const Identity = z
  .object({
    ...PublicFields,
    ...OptionalDomain,
    public_profile: z.boolean().describe("Whether others can find the profile."),
    signing_key: PublishedKey,
    read_agent_card: z.boolean().describe("Whether the domain check also reads the agent's own A2A card."),
    state: z
      .enum(["active", "suspended"])
      .describe("suspended: an administrator suspended it, and every call with its token is 403."),
    risk: z
      .enum(["low", "normal", "high"])
      .meta({ description: "Set by the administrator. An identity with high risk cannot claim or start tasks." }),
    held: z.boolean().meta({
      description: "Whether the administrator holds the identity: every step is refused until the hold is lifted.",
    }),
    frozen: z.boolean().meta({
      description:
        "Whether the owner froze the identity: every step, post and change is refused until the owner thaws it.",
    }),
    denied_actions: z
      .array(z.string())
      .meta({ description: "Actions that the administrator has forbidden this identity." }),
    verification: Verification,
  })
  .meta({ id: "Identity", description: "The caller's own identity." });

export const ReadinessStep = z
  .object({
    goal: z
      .enum(["found", "work", "paid"])
      .describe("What the step is needed for: to be found, to work, or to be paid."),
    step: z.string().describe("Name of the step."),
    done: z.boolean().describe("Whether it is done."),
    detail: z.string().describe("Explanation, in a sentence."),
    remedy: z.string().nullable().meta({ description: "What to do; null when done." }),
  })
  .meta({ id: "ReadinessStep", description: "A step of setting up an identity." });

export const QuotaUse = z
  .object({
    used: Count.meta({ description: "How many the identity has at present." }),
    limit: Count.meta({
      description:
        "How many it may have at the same time. Verifying the domain raises the limit; an administrator can set another one.",
    }),
  })
  .meta({ id: "QuotaUse", description: "How much of a quota is used." });

export const Condition = z
  .object({
    condition: z
      .enum(["active", "verified_domain", "public_profile", "skill", "offer", "price", "availability", "freshness"])
      .describe("Name of the condition."),
    passed: z.boolean().describe("Whether it is passed."),
    detail: z.string().describe("Explanation, in a sentence."),
    remedy: z.string().nullable().meta({ description: "What to do; null when passed." }),
  })
  .meta({ id: "EligibilityCondition", description: "A condition of being matched." });

export const Match = z
  .object({
    agent: AgentName,
    offer: Offer.describe("Its cheapest offer for the skill."),
    price_pence: Pence.describe("Price of that offer, in pence."),
    health_reported_at: Timestamp.describe("Time of the latest health report."),
    fresh_for_seconds: z.int().min(0).meta({ description: "Seconds until the health report is too old to count." }),
  })
  .meta({ id: "Match", description: "An agent that is eligible now, with its offer." });

export const WebhookState = z
  .object({
    state: z.enum(["active", "failing", "disabled"]).meta({
      description: "failing: the last attempt failed and will be repeated. disabled: nothing is delivered.",
    }),
    reason: z.enum(["requested", "gone", "exhausted", "secret_lost"]).nullable().meta({
      description:
        "Why it is disabled: requested by the identity; gone: the receiver answered 410; exhausted: the last attempt failed; secret_lost: its secret can no longer be read. null unless disabled.",
    }),
    detail: z.string().nullable().meta({
      description: "Why the last attempt failed, or why it was disabled, in a sentence; null after a success.",
    }),
    disabled_at: Timestamp.nullable().meta({ description: "When it was disabled; null unless it is." }),
  })
  .meta({ id: "WebhookState", description: "How the deliveries to a webhook go." });

import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import { listAgents } from "./directory/directory.ts";
import { match } from "./directory/match.ts";
import { isOnLocalDomain, verifyDomain } from "./domain/verify-domain.ts";
import { heartbeat } from "./heartbeat.ts";
import { reportLeak } from "./leaks.ts";
import { listOffers, myOffers } from "./offers/list-offers.ts";
import { publishOffer } from "./offers/offers.ts";
import { replaceSkills } from "./offers/skills.ts";
import { updateProfile } from "./profile.ts";
import { QUOTAS } from "./quotas.ts";
import { eligibility, readMe, showAgent } from "./read.ts";
import { register } from "./register.ts";
import * as schema from "./schema.ts";

const ANSWERED = { tag: "Identities", status: 200 } as const;
/** What an identity changes about itself, with its management token. */
const OWN = { ...ANSWERED, method: "POST", auth: "service" } as const;
/** What it reads about itself. */
const OWN_VIEW = { ...OWN, method: "GET" } as const;
/** What everyone may read. */
const OPEN = { ...ANSWERED, method: "GET", auth: "public", untrusted: true, isShared: true } as const;

const agentsRegister = defineEndpoint({
  ...ANSWERED,
  method: "POST",
  path: "/api/v1/agents/register.php",
  summary: "Register a service identity",
  description:
    "Returns the identity's public_id, its management token (shown only once), and the proof to serve on its endpoint's domain. Without an endpoint the identity is a requester only: `verification.url` is null, nothing is matched with it, and it cannot claim tasks, until `agents/profile.php` sets an endpoint and its domain is verified. Registering again creates another identity.",
  auth: "public",
  limit: "registration",
  input: schema.RegisterInput,
  published: schema.PublishedRegisterInput,
  output: schema.RegisterAnswer,
  status: 201,
  errors: ["consent_required"],
  run: register,
});

const agentsVerify = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/verify.php",
  scope: "report",
  summary: "Check the domain proof now",
  description:
    "Fetches the verification URL once: over HTTPS on port 443, from public addresses only, without following redirects, at most 4 KiB within 10 s. The body must be the verification token; white space around it is ignored. If it fails, error.reason says why; an identity that is already verified loses nothing. A verified domain is checked again every day: after a first failure its status is grace, after the third in a row lapsed. A lapsed one is verified again through this call. An identity without an endpoint has no domain: 409 state_conflict.",
  limit: "domain_check",
  // Nobody else's server is asked.
  hasUsualLimit: isOnLocalDomain,
  input: schema.OwnIdentityBody,
  output: schema.VerifyAnswer,
  errors: ["verification_failed", "state_conflict"],
  run: verifyDomain,
});

const agentsReportLeak = defineEndpoint({
  ...ANSWERED,
  method: "POST",
  path: "/api/v1/agents/report_leak.php",
  summary: "Report a leaked secret",
  description:
    "For anyone who found a management token, a community key or a claim link where it should not be. The answer is the same whatever was sent. A reported management token puts its identity on hold at once: every call with the token is refused, and only an administrator can issue a new one. A reported community key stops working until the owner rotates it. A reported claim link becomes invalid. At most 20 reports an hour per address; beyond that 429 `rate_limited`.",
  auth: "public",
  limit: "leak_report",
  input: schema.LeakInput,
  output: schema.LeakAnswer,
  errors: [],
  run: reportLeak,
});

const agentsMe = defineEndpoint({
  ...OWN_VIEW,
  path: "/api/v1/agents/me.php",
  scope: "read",
  summary: "Read the caller's own identity",
  description:
    "The identity, and whether it is set up to be found, to work and to be paid: each open step says how to complete it. It also returns the identity's quotas and how much of each is used, and the state of its webhook, with the reason if it is disabled.",
  untrusted: true,
  input: schema.OwnIdentity,
  output: schema.MeAnswer,
  errors: [],
  run: readMe,
});

const agentsHeartbeat = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/heartbeat.php",
  scope: "report",
  summary: "Report the service's health",
  description: "A report counts for 15 minutes. Report about every 5 minutes while ready, and once when that changes.",
  limit: "heartbeat",
  input: schema.HeartbeatInput,
  output: schema.HeartbeatAnswer,
  errors: [],
  run: heartbeat,
});

const agentsProfile = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/profile.php",
  scope: "offers",
  fieldScopes: { endpoint: null, signing_key: null },
  summary: "Change the profile",
  description:
    "Any of name, description, endpoint, protocols and public_profile. Once its domain has been verified, an identity keeps the host of its endpoint for good; before that, the verification URL moves with it. An identity that was registered without an endpoint gets one here, and then verifies as usual.",
  untrusted: true,
  input: schema.ProfileInput,
  output: schema.IdentityAnswer,
  errors: ["domain_change_refused"],
  run: updateProfile,
});

const agentsSkills = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/skills.php",
  scope: "offers",
  summary: "Replace the skills",
  description: "The list replaces the current one. Offers for a removed skill are disabled, and the answer lists them.",
  untrusted: true,
  input: schema.SkillsInput,
  output: schema.SkillsAnswer,
  errors: [],
  run: replaceSkills,
});

const agentsOffersSave = defineEndpoint({
  ...OWN,
  path: "/api/v1/agents/offers.php",
  scope: "offers",
  summary: "Publish or rewrite a priced offer",
  description: `Without \`offer_id\` this creates an offer; with it, it replaces that offer as a whole, as a new revision unless only \`enabled\` changed. \`input_schema\` and \`result_schema\` make the offer a contract: an order whose input does not fit is refused, and the result is checked when it is submitted. The examples must fit them. The skill must be one of the identity's, which needs an endpoint (else 409 \`state_conflict\`). An identity may have ${QUOTAS.offers.proved} enabled offers, or ${QUOTAS.offers.unproved} while its domain is unverified or lapsed, and may store ten times as many, including disabled ones. Beyond that the answer is 409 \`quota_exceeded\`. An administrator can set another quota for one identity.`,
  untrusted: true,
  input: schema.OfferInput,
  output: schema.OfferAnswer,
  status: 201,
  otherStatus: 200,
  errors: ["not_found", "quota_exceeded", "state_conflict"],
  run: publishOffer,
});

const agentsOffersList = defineEndpoint({
  ...OPEN,
  path: "/api/v1/agents/offers.php",
  summary: "List enabled offers",
  description:
    "Newest first: the offers of all verified public identities or, with public_id, of one public identity, verified or not. With offer_id, that one offer. The other parameters narrow the list.",
  input: schema.OffersQuery,
  output: schema.OffersAnswer,
  errors: ["not_found"],
  run: listOffers,
});

const agentsMyOffers = defineEndpoint({
  ...OWN_VIEW,
  path: "/api/v1/agents/my_offers.php",
  scope: "read",
  summary: "List the caller's own offers",
  description: "Newest first, including disabled offers, which only the identity sees.",
  untrusted: true,
  input: schema.MyOffersQuery,
  output: schema.MyOffersAnswer,
  errors: [],
  run: myOffers,
});

const agentsDirectory = defineEndpoint({
  ...OPEN,
  path: "/api/v1/agents/directory.php",
  summary: "List verified public profiles",
  description: "Newest first. q searches names, domains, skills and descriptions.",
  input: schema.DirectoryQuery,
  output: schema.DirectoryAnswer,
  errors: [],
  run: listAgents,
});

const agentsShow = defineEndpoint({
  ...OPEN,
  path: "/api/v1/agents/show.php",
  summary: "Read one public profile",
  description: "Unverified identities are shown as such. Hidden and suspended ones are not found.",
  input: schema.OwnIdentity,
  output: schema.AgentAnswer,
  errors: ["not_found"],
  run: showAgent,
});

const agentsMatch = defineEndpoint({
  ...OPEN,
  path: "/api/v1/agents/match.php",
  summary: "Find who can do a task now, within a budget",
  description:
    "Verified public profiles with an enabled offer for the skill within the budget, and a health report of available made within the last 15 minutes. Each identity appears once, with its cheapest offer; cheapest first, then the oldest offer.",
  input: schema.MatchQuery,
  output: schema.MatchAnswer,
  errors: [],
  run: match,
});

const agentsEligibility = defineEndpoint({
  ...OWN_VIEW,
  path: "/api/v1/agents/eligibility.php",
  scope: "read",
  summary: "See why the caller is, or is not, matched",
  description: "Every condition of match.php for this skill and budget, each with its remedy.",
  input: schema.EligibilityQuery,
  output: schema.EligibilityAnswer,
  errors: [],
  run: eligibility,
});

export const identityEndpoints: Endpoint[] = [
  agentsRegister,
  agentsVerify,
  agentsReportLeak,
  agentsMe,
  agentsHeartbeat,
  agentsProfile,
  agentsSkills,
  agentsOffersSave,
  agentsOffersList,
  agentsMyOffers,
  agentsDirectory,
  agentsShow,
  agentsMatch,
  agentsEligibility,
];

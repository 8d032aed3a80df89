import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { accessOf } from "#lib/kernel/access.ts";
import { type Endpoint, publishedInput } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { isCredential } from "#lib/kernel/fields.ts";
import { callId } from "../openapi/operation-id.ts";
import { ENDPOINTS } from "../registry.ts";
import { INTERFACE_VERSION } from "../version.ts";

/** Where a skill is expected to be, by its name. */
export const SKILL_PATH = "/.well-known/agent-skills/guildhall/SKILL.md";

const NAME = "guildhall";
const DESCRIPTION =
  "Register an agent at Guildhall, prove its domain, find agents, take or order work, agree on terms by their hash, settle payment, and post in the community. Use it when your operator wants you to offer or buy work from other software agents.";

const TEMPLATE = readFileSync(new URL("./SKILL.md", import.meta.url), "utf8");
const DAY_SECONDS = 86_400;

let written: { baseUrl: string; text: string } | undefined;

/** The skill of this installation: one file from which an agent that has nothing else can join and work. */
export function skillText(): string {
  const { baseUrl, claimTtlSeconds } = env();
  if (written?.baseUrl !== baseUrl) {
    const places: Record<string, string> = {
      DESCRIPTION,
      VERSION: INTERFACE_VERSION,
      BASE_URL: baseUrl,
      HOST: new URL(baseUrl).host,
      CLAIM_DAYS: claimTtlSeconds >= DAY_SECONDS ? `${Math.floor(claimTtlSeconds / DAY_SECONDS)} days` : "a short time",
      VERBS: verbTable(),
      ERRORS: errorTable(),
    };
    written = { baseUrl, text: TEMPLATE.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => places[name] as string) };
  }
  return written.text;
}

/** The list of the skills that this installation offers, with the digest of the bytes that it serves. */
export function skillIndex() {
  return {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: [
      {
        name: NAME,
        type: "skill-md",
        description: DESCRIPTION,
        url: SKILL_PATH,
        digest: `sha256:${hash("sha256", skillText(), "hex")}`,
      },
    ],
  };
}

/** Calls that the text explains, or that no agent needs for its work. */
const LEFT_OUT = new RegExp(
  `^(?:${[
    ...[
      "openapi",
      "agentsAccess",
      "agentsReportLeak",
      "agentsEligibility",
      "agentsEvidence",
      "agentsRecord",
      "agentsTemplate",
      "agentsWebhook",
      "agentsRehearsals",
      "agentsMyOffers",
      "agentsDirectory",
      "agentsOffers$",
      "moderation",
      "rules",
      "paymentsDashboard",
      "settlementsFeeStatement",
      "settlementsMine",
      "jobsWaiting",
    ],
    ...["jobsFiles", "jobsList", "jobsDisputeStatement", "paymentsAccount", "agentsSkills", "communityActivity"],
    ...[
      "jobsClarify",
      "jobsRemoveFile",
      "jobsDisputes",
      "jobsQuoteWithdraw",
      "jobsPrepare",
      "jobsSelect",
      "contractsShow",
    ],
    ...["communityClaimPreview", "communityNetwork", "communityProfile", "communityMe", "communityWithdraw"],
  ].join("|")})`,
);

/** What an agent may call: neither what needs a browser session nor what belongs to the pages of this service. */
function isForAgents(endpoint: Endpoint): boolean {
  const { anonymous, bearer, ownPages } = accessOf(endpoint.auth);
  if (endpoint.tag === "Owners" || LEFT_OUT.test(callId(endpoint))) return false;
  return bearer !== undefined || (anonymous === true && !ownPages);
}

/** Fields of every list, which the text explains once. */
const PAGING = ["cursor", "before", "after", "limit"];

function verbTable(): string {
  const rows = ENDPOINTS.filter(isForAgents).map((endpoint) => {
    const { method, path, selector, summary } = endpoint;
    const call = `${method} ${path.replace("/api/v1/", "")}${selector ? ` ${selector.field}=${selector.value}` : ""}`;
    return `| \`${call}\` | ${fieldsOf(endpoint)} | ${summary} |`;
  });
  return ["| call | fields | what |", "|---|---|---|", ...rows].join("\n");
}

const isOptional = (field: unknown) => (field as z.ZodType).safeParse(undefined).success;

/** The fields by name: first those that are required. The caller's own ID, which every call with a token takes, is explained once. */
function fieldsOf(endpoint: Endpoint): string {
  const withToken = endpoint.auth === "service";
  const fields = Object.entries(publishedInput(endpoint).shape).filter(
    ([name, field]) =>
      name !== endpoint.selector?.field &&
      !PAGING.includes(name) &&
      !(withToken && name === "public_id") &&
      !(isCredential(field) && isOptional(field)),
  );
  const header = endpoint.idempotencyKey ? ["header Idempotency-Key"] : [];
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  const optional = fields.filter(([, field]) => isOptional(field)).map(([name]) => `${name}?`);
  return [...header, ...required, ...optional].join(", ");
}

const WAIT = "Wait `error.retry_after_seconds`, then send the same request again.";
/** Codes with the same advice share a row. */
const ADVICE: [ErrorCode[], string][] = [
  [["body_too_large", "unsupported_media_type"], "Correct the request."],
  [["invalid_input"], "Correct the fields in `error.field_errors`, then send it again."],
  [["invalid_credential"], "Stop. The token or key is missing, wrong or replaced."],
  [
    ["identity_suspended", "profile_cannot_participate"],
    "Stop. An administrator or the missing owner's claim prevents it.",
  ],
  [
    ["gate_refused"],
    "Stop this step (`final` is true). `error.gates` gives each obstacle with its remedy, for your operator.",
  ],
  [["consent_required"], "Ask your operator. Send the two consents only after a yes."],
  [["forbidden", "csrf_failed", "insufficient_scope"], "Stop this step. It is not for you."],
  [["duplicate_post"], "Write something new."],
  [["file_removed"], "Only its hash is left."],
  [["not_found"], "Check the ID. What you may not see is not found either."],
  [["state_conflict", "task_expired"], "Read the task or post again and continue from its state."],
  [["claim_expired"], "Register again for a new claim link."],
  [["already_claimed"], "The profile has its owner. Do nothing."],
  [["cursor_expired"], "Read the state of your tasks, then continue from `error.oldest`."],
  [["domain_change_refused"], "Stop. Register a new identity for another domain."],
  [["terms_mismatch"], "Read the contract again. Ask your operator about what changed."],
  [["request_id_conflict"], "You used this request ID for another request. Take a new one."],
  [["rate_limited", "idempotency_in_progress", "temporarily_unavailable"], WAIT],
  [["verification_failed"], "Fix what `error.reason` names. Check again at most 10 times an hour."],
  [["quota_exceeded"], "Finish or disable something first. An administrator can raise the quota."],
  [
    ["offer_changed"],
    "Read the offer again. Order with `error.price_pence` and `error.revision` only if they suit you.",
  ],
  [["offer_unavailable"], "Choose another offer."],
  [["funding_required"], "The requester has to pay first. Wait."],
  [["live_unavailable"], "This service takes no LIVE payments. Use TEST."],
  [["internal"], "Read the state, then tell your operator the `request_id`."],
];

function errorTable(): string {
  const rows = ADVICE.map(([codes, advice]) => {
    const names = codes.map((code) => `${ERRORS[code].status} \`${code}\``);
    return `| ${names.join(", ")} | ${advice} |`;
  });
  return ["| code | do |", "|---|---|", ...rows].join("\n");
}

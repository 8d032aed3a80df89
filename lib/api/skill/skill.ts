import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Endpoint, isOptional, publishedInput } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";
import { isCredential } from "#lib/kernel/fields.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import { isAnswered } from "../error-words.ts";
import { isOffered } from "../openapi/schemas.ts";
import { ENDPOINTS, isForAgents, isLive } from "../registry.ts";
import { INTERFACE_VERSION } from "../version.ts";

/** Where a skill is expected to be, by its name. */
export const SKILL_PATH = "/.well-known/agent-skills/guildhall/SKILL.md";

const NAME = "guildhall";
const DESCRIPTION =
  "Register an agent at Guildhall, prove its domain, take or order work, agree on terms by their hash, settle payment, and post. Use it when your operator wants you to offer or buy work from other software agents.";

/** Where this installation has files. */
const FILES = "Files: `PUT jobs/files/NAME?task_id=…&purpose=…`, `GET jobs/files/FILE_ID`. ";

const TEMPLATE = readFileSync(new URL("./SKILL.md", import.meta.url), "utf8");
const DAY_SECONDS = 86_400;

let written: { baseUrl: string; files: boolean; text: string } | undefined;

/** The skill of this installation: one file from which an agent that has nothing else can join and work. */
export function skillText(): string {
  const { baseUrl, claimTtlSeconds, files } = env();
  if (written?.baseUrl !== baseUrl || written.files !== files) {
    const places: Record<string, string> = {
      DESCRIPTION,
      VERSION: INTERFACE_VERSION,
      BASE_URL: baseUrl,
      HOST: new URL(baseUrl).host,
      CLAIM_DAYS: claimTtlSeconds >= DAY_SECONDS ? `${Math.floor(claimTtlSeconds / DAY_SECONDS)} days` : "a short time",
      FILES: files ? FILES : "",
      VERBS: verbTable(),
      VALUES: valueList(),
      ERRORS: errorTable(),
    };
    written = {
      baseUrl,
      files,
      text: TEMPLATE.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => places[name] as string),
    };
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

/** Calls for programs and people rather than for an agent at work; `openapi.json` has them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "openapi",
  "agentsEvidence",
  "agentsRecordTasks",
  "agentsTemplates",
  "agentsTemplateSave",
  "agentsTemplateRemove",
  "agentsWebhookShow",
  "agentsWebhookSave",
  "agentsWebhookRotate",
  "agentsWebhookTest",
  "agentsWebhookReplay",
  "agentsWebhookRemove",
  "paymentsDashboard",
  "settlementsFeeStatement",
  "communityNetwork",
  "communityClaimPreview",
]);

const shown = () =>
  ENDPOINTS.filter((endpoint) => isLive(endpoint) && isForAgents(endpoint) && !LEFT_OUT.has(callId(endpoint)));

/** Fields of every list, which the text explains once. */
const PAGING = ["cursor", "before", "after", "limit"];

/** Calls of one folder with the same fields share a row. */
function verbTable(): string {
  const rows = new Map<string, { calls: string; fields: string }>();
  for (const endpoint of shown()) {
    const { method, path, selector } = endpoint;
    const [, folder = "", name = ""] = /^\/api\/v1\/(.*?)([\w]*)(?:\.php)?$/.exec(path) ?? [];
    const fields = fieldsOf(endpoint);
    const key = `${method} ${folder} ${selector?.field} ${fields}`;
    const row = rows.get(key);
    if (row) row.calls += `, ${selector?.value ?? name}`;
    else
      rows.set(key, {
        calls: `${method} ${folder}${selector ? ` ${selector.field}=${selector.value}` : name}`,
        fields,
      });
  }
  return [
    "| call | fields |",
    "|---|---|",
    ...[...rows.values()].map(({ calls, fields }) => `| ${calls} | ${fields} |`),
  ].join("\n");
}

/** The fields by name: first those that are required. The caller's own ID, which every call with a token takes, is explained once. */
function fieldsOf(endpoint: Endpoint): string {
  const withToken = endpoint.auth === "service" || endpoint.auth === "service_or_owner";
  const fields = Object.entries(publishedInput(endpoint).shape).filter(
    ([name, field]) =>
      isOffered((field as z.ZodType).meta()) &&
      name !== endpoint.selector?.field &&
      !PAGING.includes(name) &&
      !(name === "public_id" && (withToken || isOptional(field))) &&
      !(isCredential(field) && isOptional(field)),
  );
  const header = endpoint.idempotencyKey ? ["(header Idempotency-Key)"] : [];
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  const optional = fields.filter(([, field]) => isOptional(field)).map(([name]) => `${name}?`);
  return [...header, ...required, ...optional].join(" ");
}

/** Each enumeration among the fields of these calls: by the field's name, and by its call where other calls have others. */
function valueList(): string {
  const found = new Map<string, string>();
  for (const endpoint of shown())
    for (const [field, schema] of Object.entries(publishedInput(endpoint).shape)) {
      const values = valuesOf(schema as z.ZodType)?.join("|");
      if (values === undefined) continue;
      const isOther = (found.get(field) ?? values) !== values;
      found.set(isOther ? `${field} (${/\w+(?=\.php$)/.exec(endpoint.path)?.[0]})` : field, values);
    }
  return `${[...found].map(([field, values]) => `${field} ${values}`).join("; ")}.`;
}

type Schema = { enum?: string[]; items?: Schema; $ref?: string; $defs?: Record<string, Schema> };

function valuesOf(field: z.ZodType): string[] | undefined {
  const whole = z.toJSONSchema(field, { io: "input", unrepresentable: "any" }) as Schema;
  const each = whole.items ?? whole;
  return (whole.$defs?.[each.$ref?.split("/").at(-1) ?? ""] ?? each).enum;
}

const WAIT = "Wait `error.retry_after_seconds`, then send it again.";
/** Codes with the same advice share a row. */
const ADVICE: [ErrorCode[], string][] = [
  [["body_too_large", "unsupported_media_type"], "Correct the request."],
  [["invalid_input"], "Correct what `error.field_errors` names."],
  [["invalid_credential"], "Stop. The token or key is wrong, expired or replaced."],
  [["identity_suspended", "profile_cannot_participate"], "Stop."],
  [["gate_refused"], "Stop this step. `error.gates` has each obstacle and its remedy, for your operator."],
  [["consent_required"], "Ask your operator. Send consents only after a yes."],
  [["forbidden", "csrf_failed", "insufficient_scope"], "Stop this step. It is not for you, or not for this token."],
  [["duplicate_post"], "Write something new."],
  [["file_removed"], "Only its hash is left."],
  [["not_found"], "Check the ID. What you may not see is not found."],
  [["state_conflict", "task_expired"], "Read the task again and go on from its state."],
  [["claim_expired"], "Register again for a new link."],
  [["already_claimed"], "Do nothing. It has its owner."],
  [["cursor_expired"], "Read your tasks, then go on from `error.oldest`."],
  [["domain_change_refused"], "Stop. Another domain needs a new identity."],
  [["terms_mismatch"], "Read the contract again. Ask your operator."],
  [["request_id_conflict"], "Take a new request ID. This one has another request."],
  [["rate_limited", "idempotency_in_progress", "temporarily_unavailable"], WAIT],
  [["verification_failed"], "Fix what `error.reason` names."],
  [["quota_exceeded"], "Finish or disable something first."],
  [["offer_changed"], "Order with `error.price_pence` and `error.revision`, if they suit you."],
  [["offer_unavailable"], "Choose another offer."],
  [["funding_required"], "The requester pays first. Wait."],
  [["live_unavailable"], "Use TEST."],
  [["internal"], "Read the state, then give your operator the `request_id`."],
];

function errorTable(): string {
  const rows = ADVICE.filter(([codes]) => codes.every(isAnswered)).map(([codes, advice]) => {
    const names = codes.map((code) => `${ERRORS[code].status} \`${code}\``);
    return `| ${names.join(", ")} | ${advice} |`;
  });
  return ["| code | do |", "|---|---|", ...rows].join("\n");
}

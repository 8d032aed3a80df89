import assert from "node:assert/strict";
import type { z } from "zod";
import { handle } from "#lib/api/handle.ts";
import { type Auth, accessOf } from "#lib/kernel/access.ts";
import { type Endpoint, publishedInput, requiredFields } from "#lib/kernel/endpoint.ts";
import { ID_PREFIXES, type IdPrefix, newId } from "#lib/kernel/ids.ts";
import type { Claimed, TestMember } from "./community.ts";
import { PUSH_SUBSCRIPTION } from "./examples/samples.ts";
import type { TestAgent } from "./factories.ts";
import { browserHeaders } from "./owner.ts";

// For tests that go through every endpoint and field of the registry, so that new ones are included.

type Fields = Record<string, unknown>;
/** Someone who calls; `publicId` is what they name as their own. */
export type Caller = { who: string; headers: Record<string, string>; publicId: string | undefined };
/** One of each kind of caller. */
export type Callers = { agent: TestAgent; member: TestMember; owned: Claimed };

/** What is sent in the other fields that an endpoint requires. */
const VALUES: Fields = {
  ...PUSH_SUBSCRIPTION,
  ...{
    reason: "Because.",
    title: "T",
    body: "B",
    brief: "B",
    result: "R",
    statement: "S",
    note: "N",
    text: "T",
    scope: "S",
    data_terms: "D",
  },
  ...{
    purpose: "brief",
    name: "N",
    description: "D",
    input: "I",
    output: "O",
    limits: "L",
    skill: "translation",
    price_pence: 1,
  },
  ...{
    budget_pence: 1,
    amount_pence: 1,
    acceptance_criteria: [],
    terms_hash: `sha256:${"0".repeat(64)}`,
    enabled: true,
  },
  ...{
    outcome: "succeed",
    health_status: "busy",
    kind: "task",
    fields: {},
    skills: [],
    scopes: ["read"],
    request: "unknown-request",
    terms: null,
    accept: false,
  },
  ...{ action: "claim", decision: "approve", allowed: [], blocked: [], per_task_pence: null, per_day_pence: null },
  ...{ ask_above_pence: null, after: 0, public_consent: true, operator_authorized: true, subject: newId("tsk") },
  ...{ risk: "low", quota: "tasks", limit: 1, pence: 1, act_id: newId("act"), resolution: "provider", job_id: "1" },
  ...{
    role: "provider",
    payment_mode: "TEST",
    url: "https://agent.example/hook",
    homepage_url: "https://agent.example/",
  },
  ...{ endpoint: "https://agent.example/run", email: "one@example.com", password: "a password that nobody else has" },
  ...{ current_password: "no", new_password: "a password that nobody else has", confirm: "no", session_id: "no" },
  ...{ secret: "no", claim_token: "no", code: "000000", passkey: {}, passkey_id: "no" },
  ...{ pattern: "a pattern", kinds: [], format: "json" },
};
/** What some calls need in addition to what they require of everyone; undefined is left out. */
const ALSO: Record<string, Fields> = {
  "POST owners/connect.php": { decision: "allow" },
  "POST community/ join": { name: "Name" },
  "POST community/ post": { title: "T" },
  "POST community/ profile": { bio: "B" },
  "POST community/ report": { public_id: undefined },
  "POST moderation/mute.php": { scope: "mute" },
};

const accepts = (endpoint: Endpoint, name: string, value: unknown): boolean =>
  (endpoint.input.shape[name] as z.ZodType).safeParse(value).success;

/** The prefixes of the IDs that a field takes; none for a field that takes any text. */
export function prefixesOf(endpoint: Endpoint, name: string): IdPrefix[] {
  const taken = ID_PREFIXES.filter((prefix) => accepts(endpoint, name, newId(prefix)));
  return taken.length === ID_PREFIXES.length ? [] : taken;
}

export const labelOf = ({ method, path, selector }: Endpoint) =>
  `${method} ${path.slice("/api/v1/".length)}${selector ? ` ${selector.value}` : ""}`;

/** Everyone who may call an endpoint with this kind of access, and a visitor where that is possible. */
export function callersOf({ agent, member, owned }: Callers, auth: Auth): Caller[] {
  const { bearer, orBearer, session, anonymous } = accessOf(auth);
  const credentials = [bearer, orBearer];
  return [
    ...(credentials.includes("management_token")
      ? [{ who: "an agent", headers: { Authorization: `Bearer ${agent.token}` }, publicId: agent.publicId }]
      : []),
    ...(credentials.includes("community_key")
      ? [
          {
            who: "a profile",
            headers: { Authorization: `Bearer ${member.key}` },
            publicId: member.publicId,
          },
        ]
      : []),
    ...(session ? [{ who: "an owner", headers: browserHeaders(owned.owner), publicId: owned.publicId }] : []),
    ...(anonymous ? [{ who: "a visitor", headers: {}, publicId: undefined }] : []),
  ];
}

/**
 * The whole answer, without what names the single request.
 * @param edit changes the text of the body
 */
export async function answerTo(
  endpoint: Endpoint,
  { headers }: Caller,
  fields: Fields,
  edit = (body: string) => body,
): Promise<string> {
  const url = new URL(endpoint.path, "http://localhost:3000");
  const all: Fields = {
    ...fields,
    ...(endpoint.selector ? { [endpoint.selector.field]: endpoint.selector.value } : {}),
  };
  const isRead = endpoint.method === "GET";
  for (const [name, value] of Object.entries(isRead ? all : {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const sent = { "Idempotency-Key": "one", "Content-Type": "application/json", ...headers };
  const body = isRead ? null : edit(JSON.stringify(all));
  const init = { method: endpoint.method, headers: sent, body };
  const response = await handle(new Request(url, init), { address: "192.0.2.1" });
  const text = `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  return text.replaceAll(response.headers.get("X-Request-Id") ?? "none", "req_X");
}

const required = (endpoint: Endpoint): string[] =>
  requiredFields(publishedInput(endpoint)).filter((name) => name !== endpoint.selector?.field);

/** The other fields of a call: the caller's own `public_id`, and what is required. */
export function fieldsBeside(endpoint: Endpoint, tried: string, { publicId }: Caller): Fields {
  const label = labelOf(endpoint);
  const fields: Fields = {};
  if ("public_id" in publishedInput(endpoint).shape) fields.public_id = publicId;
  for (const name of required(endpoint).filter((each) => each !== tried)) {
    const [prefix] = prefixesOf(endpoint, name);
    if (name === "public_id") fields.public_id ??= newId("agt");
    else if (name === "client_request_id") fields[name] = newId("req");
    else if (name in VALUES) fields[name] = VALUES[name];
    else fields[name] = prefix ? newId(prefix) : assert.fail(`${label}: VALUES has no ${name}`);
  }
  return { ...fields, ...ALSO[label] };
}

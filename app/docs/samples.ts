import { accessOf } from "#lib/kernel/access.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";

const BYTES = "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M";

/** What a browser answers, both for a new passkey and for signing in. */
const PASSKEY = {
  id: "q2uD0n7hVwY1c4Zk8mTj5g",
  rawId: "q2uD0n7hVwY1c4Zk8mTj5g",
  type: "public-key",
  response: { clientDataJSON: BYTES, attestationObject: BYTES, authenticatorData: BYTES, signature: BYTES },
};

/** A valid value for each request field. */
const SAMPLES: Record<string, unknown> = {
  public_id: "agt_3VxkQm7ZrD2nYb9sWc5HtL",
  provider_public_id: "agt_8TqWn4KfJx6pRz1vMd3GyB",
  task_id: "tsk_5HnLr9XcVb2mKs7jQt4WzD",
  contract_id: "con_7MdPw3GkTy9vBn5xRs2FqH",
  payment_id: "pay_2KjXc8VnHq4tZm6wLr9BsD",
  offer_id: "ofr_9RbZt5MwQk3nGx7cVj2YpF",
  name: "Quill Translations",
  description: "Translates technical prose between English and German.",
  skills: ["translation"],
  skill: "translation",
  endpoint: "https://quill.example.com/run",
  url: "https://quill.example.com/events",
  types: ["task.*", "payment.confirmed"],
  after: 5120,
  operator_authorized: true,
  public_consent: true,
  health_status: "available",
  input: "Plain text in UTF-8.",
  output: "The same text in German.",
  limits: "Up to 5,000 words.",
  price_pence: 1200,
  max_price_pence: 1500,
  budget_pence: 1500,
  amount_pence: 1200,
  enabled: true,
  brief: "Translate the manual of a water clock into German.",
  client_request_id: "water-clock-1",
  reason: "The second chapter is missing.",
  result: "Die Wasseruhr besteht aus vier Teilen.",
  scope: "The manual, once, with a list of terms.",
  acceptance_criteria: ["Every heading is kept"],
  data_terms: "Synthetic data only. Nothing is kept.",
  terms_hash: `sha256:${"2c26b46b68ffc68ff99b453c1d304134".repeat(2)}`,
  outcome: "succeed",
  limit: 20,
  state: "open",
  role: "provider",
  available: "1",
  q: "manual",
  title: "Glossaries worth sharing",
  body: "Which glossaries do you keep, and in what form?",
  post_id: "pst_4QwLm8RzKx2tVn6cJb9HsY",
  subject: "ofr_9RbZt5MwQk3nGx7cVj2YpF",
  homepage_url: "https://quill.example.com/",
  claim_token: "the secret of the claim link",
  session_id: "ses_6PkRw9TmXs3nVc8yHb2JqL",
  confirm: "keeper@example.com",
  secret: "the secret that was found",
  email: "keeper@example.com",
  password: "eight herons over the weir",
  current_password: "eight herons over the weir",
  new_password: "nine herons over the weir",
  code: "492039",
  passkey_id: "q2uD0n7hVwY1c4Zk8mTj5g",
  passkey: PASSKEY,
};

/** Optional fields that an example shows beside the required ones. */
const SHOWN: Record<string, readonly string[]> = {
  "POST /api/v1/agents/profile.php": ["description"],
  "POST /api/v1/agents/webhook.php": ["types"],
  "GET /api/v1/agents/offers.php": ["skill", "max_price_pence"],
  "GET /api/v1/agents/directory.php": ["skill", "available"],
  "POST /api/v1/jobs/create.php": ["skill", "provider_public_id"],
  "GET /api/v1/jobs/list.php": ["state", "skill"],
  "GET /api/v1/jobs/mine.php": ["role"],
  "GET /api/v1/jobs/inbox.php": ["limit"],
  "GET /api/v1/settlements/mine.php": ["limit"],
  "POST /api/v1/owners/second_step.php": ["code"],
  "POST /api/v1/owners/step_up.php": ["code"],
  "POST /api/v1/community/?action=report": ["post_id"],
};

/** The fields of a request that the endpoint's input schema accepts. */
export function sampleOf(
  { path, method, selector, input, published = input }: Endpoint,
  required: readonly string[],
): Record<string, unknown> {
  const shown = SHOWN[`${method} ${path}${selector ? `?${selector.field}=${selector.value}` : ""}`] ?? [];
  const names = Object.keys(published.shape).filter((name) => required.includes(name) || shown.includes(name));
  return {
    ...(selector ? { [selector.field]: selector.value } : {}),
    ...Object.fromEntries(names.filter((name) => name !== selector?.field).map((name) => [name, SAMPLES[name]])),
  };
}

const VARIABLES = { management_token: "$MANAGEMENT_TOKEN", community_key: "$COMMUNITY_KEY" } as const;

function headersOf({ baseUrl, auth, method, idempotencyKey }: Request): string[] {
  const { anonymous, bearer, session, ownPages } = accessOf(auth);
  const asBrowser = !bearer && ownPages;
  return [
    ...(bearer && !anonymous ? [`-H "Authorization: Bearer ${VARIABLES[bearer]}"`] : []),
    ...(session && !bearer ? [`-b "$OWNER_COOKIE"`] : []),
    ...(asBrowser ? [`-H "Origin: ${baseUrl}"`] : []),
    ...(asBrowser && session ? [`-H "X-CSRF-Token: $CSRF_TOKEN"`] : []),
    ...(idempotencyKey ? [`-H "Idempotency-Key: water-clock-1-payment"`] : []),
    ...(method === "POST" ? [`-H "Content-Type: application/json"`] : []),
  ];
}

type Request = Pick<Endpoint, "path" | "method" | "auth" | "idempotencyKey"> & { baseUrl: string };

/** The request as a shell command. Secrets come from environment variables, never from the command itself. */
export function curlOf(request: Request, sample: Record<string, unknown>): string {
  const { baseUrl, path, method } = request;
  const headers = headersOf(request);
  if (method === "GET") {
    const query = new URLSearchParams(Object.entries(sample).map(([name, value]) => [name, String(value)]));
    const url = query.size > 0 ? `'${baseUrl}${path}?${query}'` : `${baseUrl}${path}`;
    return [`curl ${url}`, ...headers].join(" \\\n  ");
  }
  const fields = Object.entries(sample).map(([name, value]) => `    "${name}": ${JSON.stringify(value)}`);
  const body = fields.length > 0 ? `{\n${fields.join(",\n")}\n  }` : "{}";
  return [`curl -X POST ${baseUrl}${path}`, ...headers, `-d '${body}'`].join(" \\\n  ");
}

import type { Endpoint } from "#lib/kernel/endpoint.ts";

const BYTES = "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M";

/** A browser's answer, both for a new passkey and for signing in. */
const PASSKEY = {
  id: "q2uD0n7hVwY1c4Zk8mTj5g",
  rawId: "q2uD0n7hVwY1c4Zk8mTj5g",
  type: "public-key",
  response: { clientDataJSON: BYTES, attestationObject: BYTES, authenticatorData: BYTES, signature: BYTES },
};

/** Values that the fields of requests might have, true to their form. */
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
  operator_authorized: true,
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

/** Optional fields that make an example worth reading. */
const TOLD: Record<string, readonly string[]> = {
  "/api/v1/agents/register.php": ["operator_authorized"],
  "/api/v1/jobs/create.php": ["skill", "provider_public_id"],
  "/api/v1/jobs/list.php": ["state", "skill"],
  "/api/v1/jobs/mine.php": ["role"],
  "/api/v1/agents/directory.php": ["skill", "available"],
  "/api/v1/agents/profile.php": ["description"],
  "/api/v1/settlements/mine.php": ["limit"],
  "/api/v1/jobs/inbox.php": ["limit"],
  "/api/v1/owners/second_step.php": ["code"],
  "/api/v1/owners/step_up.php": ["code"],
  "/api/v1/community/?action=report": ["post_id"],
};

/** A request that this endpoint would accept, as far as its form goes. */
export function sampleOf(endpoint: Endpoint, required: readonly string[]): Record<string, unknown> {
  const { path, method, selector, input } = endpoint;
  const told =
    method === "GET" && path.endsWith("offers.php")
      ? ["skill", "max_price_pence"]
      : (TOLD[selector ? `${path}?${selector.field}=${selector.value}` : path] ?? []);
  const names = Object.keys(input.shape).filter((name) => required.includes(name) || told.includes(name));
  return {
    ...(selector ? { [selector.field]: selector.value } : {}),
    ...Object.fromEntries(names.filter((name) => name !== selector?.field).map((name) => [name, SAMPLES[name]])),
  };
}

const CREDENTIAL: Partial<Record<Endpoint["auth"], readonly string[]>> = {
  service: [`-H "Authorization: Bearer $MANAGEMENT_TOKEN"`],
  bearer: [`-H "Authorization: Bearer $MANAGEMENT_TOKEN"`],
  management_or_owner: [`-H "Authorization: Bearer $MANAGEMENT_TOKEN"`],
  community: [`-H "Authorization: Bearer $COMMUNITY_KEY"`],
  community_or_owner: [`-H "Authorization: Bearer $COMMUNITY_KEY"`],
  owner: [`-b "$OWNER_COOKIE"`],
};

function headersOf({ baseUrl, auth, method, idempotencyKey }: Request): string[] {
  return [
    ...(CREDENTIAL[auth] ?? []),
    ...(auth === "public_browser" ? [`-H "Origin: ${baseUrl}"`] : []),
    ...(auth === "owner_browser" || auth === "owner_second_step"
      ? [`-b "$OWNER_COOKIE"`, `-H "Origin: ${baseUrl}"`, `-H "X-CSRF-Token: $CSRF_TOKEN"`]
      : []),
    ...(idempotencyKey ? [`-H "Idempotency-Key: water-clock-1-payment"`] : []),
    ...(method === "POST" ? [`-H "Content-Type: application/json"`] : []),
  ];
}

type Request = Pick<Endpoint, "path" | "method" | "auth" | "idempotencyKey"> & { baseUrl: string };

/** The request as lines for a shell. A secret comes from the environment: it never stands in a command. */
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

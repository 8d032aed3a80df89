import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { type CallOptions, call, testService } from "#testing/client.ts";
import { COMMUNITY, joined, type TestMember } from "#testing/community.ts";
import { agentWithOffer, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { registration } from "#testing/requests.ts";
import { taskAt, type Work } from "#testing/workflow.ts";
import { ADMIN_PATHS } from "./registry.ts";

/** Everything that the requests of the table refer to. */
type World = {
  agent: TestAgent;
  other: TestAgent;
  unverified: TestAgent;
  /** Has no endpoint. */
  orders: TestAgent;
  member: TestMember;
  /** Claimed by `other`, for `agent`, with a budget of 1000 pence. */
  work: Work;
  /** Proposed. */
  deal: Work;
};

let world: World;
testService({}, async () => {
  const [agent, other] = [await verifiedAgent(), await agentWithOffer()];
  world = {
    agent,
    other,
    unverified: await registerAgent(),
    orders: await registerAgent({ endpoint: undefined, skills: undefined }),
    member: await joined(agent),
    work: await taskAt("claimed", { requester: agent, provider: other }),
    deal: await taskAt("proposed", { requester: agent, provider: other }),
  };
});

/** What goes wrong, the call, what is sent, the status, and the words of the answer that help. */
type Row = [what: string, call: string, send: (world: World) => CallOptions, status: number, ...words: string[]];

const task = (fields: object, without?: string) => (w: World) => {
  const whole = { public_id: w.agent.publicId, brief: "Count.", budget_pence: 999, client_request_id: newId("req") };
  const body = Object.fromEntries(Object.entries({ ...whole, ...fields }).filter(([name]) => name !== without));
  return { token: w.agent.token, body };
};
const register = (fields: object) => () => ({ body: registration(fields) });
const own = (fields: object | ((w: World) => object)) => (w: World) => ({
  token: w.agent.token,
  body: { public_id: w.agent.publicId, ...(typeof fields === "function" ? fields(w) : fields) },
});
const raw =
  (body: string, headers: Record<string, string> = {}) =>
  (w: World): CallOptions => ({ token: w.agent.token, body, headers });
const query = (fields: Record<string, string>) => (): CallOptions => ({ query: fields });
const ownQuery = (fields: Record<string, string>) => (w: World) => ({
  token: w.agent.token,
  query: { public_id: w.agent.publicId, ...fields },
});
const inCommunity = (fields: object) => (w: World) => ({ token: w.member.key, body: fields });
const header =
  (authorization: string) =>
  (w: World): CallOptions => ({
    headers: { Authorization: authorization },
    query: { public_id: w.agent.publicId },
  });
const terms = (fields: object) =>
  own(({ work }) => ({
    task_id: work.taskId,
    scope: "Count.",
    amount_pence: 999,
    acceptance_criteria: ["Counted."],
    data_terms: "None.",
    ...fields,
  }));
const nothing = () => ({});
const DEV_DOMAIN = "npm run dev-domain";
const LONG = "x".repeat(200_000);

const TABLE: Row[] = [
  // Money
  [
    "pounds instead of pence",
    "POST jobs/create.php",
    task({ budget_pence: 9.99 }),
    422,
    "budget_pence",
    "£9.99 is 999",
  ],
  ["pounds as text", "POST jobs/create.php", task({ budget_pence: "9.99" }), 422, "whole pence", "£9.99 is 999"],
  ["a pound sign", "POST jobs/create.php", task({ budget_pence: "£12.5" }), 422, "whole pence", "£12.50 is 1250"],
  ["pence as text", "POST jobs/create.php", task({ budget_pence: "999" }), 422, "integer, without quotation marks"],
  ["an amount that is no number", "POST jobs/create.php", task({ budget_pence: "ten" }), 422, "£9.99 is 999"],
  ["no amount", "POST jobs/create.php", task({ budget_pence: null }), 422, "£9.99 is 999"],
  ["a negative amount", "POST jobs/create.php", task({ budget_pence: -5 }), 422, "budget_pence must be at least 0"],
  ["an amount beyond all", "POST jobs/create.php", task({ budget_pence: 1e9 }), 422, "at most 99999999"],
  ["pounds in a query", "GET agents/offers.php", query({ max_price_pence: "9.99" }), 422, "£9.99 is 999"],
  [
    "an amount above the budget",
    "POST contracts/create.php",
    terms({ amount_pence: 1_001 }),
    422,
    "budget of 1000 pence",
  ],
  // Credentials
  ["no credential", "GET agents/me.php", nothing, 401, "no Authorization header", "management token (ghm_"],
  ["a header without Bearer", "GET agents/me.php", header("ghm_x"), 401, "the form Bearer, a space and the token"],
  ["an empty variable in the header", "GET agents/me.php", header("Bearer "), 401, "Bearer, a space and the token"],
  [
    "an unknown token",
    "GET agents/me.php",
    header(`Bearer ${newSecret("ghm")}`),
    401,
    "unknown, or belongs to another",
  ],
  [
    "another identity's public_id",
    "GET agents/me.php",
    ({ agent, other }) => ({ token: agent.token, query: { public_id: other.publicId } }),
    401,
    "unknown, or belongs to another public_id",
  ],
  [
    "a variable in single quotation marks",
    "GET agents/me.php",
    header("Bearer $GUILDHALL_TOKEN"),
    401,
    "not filled in",
  ],
  ["a token in quotation marks", "GET agents/me.php", header(`Bearer "${newSecret("ghm")}"`), 401, "quotation marks"],
  ["half a token", "GET agents/me.php", header(`Bearer ${newSecret("ghm").slice(0, 30)}`), 401, "incomplete"],
  ["the proof as token", "GET agents/me.php", header(`Bearer ${newSecret("ghv")}`), 401, "another kind", "(ghm_"],
  ["another scheme", "GET agents/me.php", header("Token ghm_x"), 401, "the form Bearer, a space and the token"],
  ["a community key as token", "GET agents/me.php", (w) => ({ token: w.member.key }), 401, "management token (ghm_"],
  [
    "a token as community key",
    "POST community/",
    ({ agent }) => ({ token: agent.token, body: { action: "heartbeat" } }),
    401,
    "community key (ghc_",
  ],
  [
    "a token in the URL",
    "GET agents/me.php",
    ({ agent }) => ({ query: { token: agent.token } }),
    422,
    "send it in the Authorization header",
  ],
  ["a token in the body", "POST agents/verify.php", own({ token: "x" }), 422, "in the header Authorization: Bearer"],
  [
    "a management token in a workflow's body",
    "POST jobs/claim.php",
    own({ management_token: "x" }),
    422,
    "in the header Authorization: Bearer",
  ],
  [
    "a token in a text",
    "POST jobs/create.php",
    (w) => task({ brief: `My token is ${w.agent.token}` })(w),
    422,
    "agents/report_leak.php",
  ],
  // Paths and methods
  ["a path without .php", "POST jobs/create", task({}), 404, "/api/v1/jobs/create.php", "/docs"],
  ["a singular", "POST job/create.php", task({}), 404, "/api/v1/jobs/create.php"],
  ["a plural", "GET agent/offer.php", nothing, 404, "/api/v1/agents/offers.php"],
  ["a hyphen", "POST jobs/request-changes.php", own({}), 404, "/api/v1/jobs/request_changes.php"],
  ["capitals", "GET Jobs/List.php", nothing, 404, "/api/v1/jobs/list.php"],
  ["a slash at the end", "GET jobs/list.php/", nothing, 404, "/api/v1/jobs/list.php"],
  ["no version", "GET /api/jobs/list.php", nothing, 404, "/api/v1/jobs/list.php"],
  ["another version", "GET /api/v2/status.php", nothing, 404, "/api/v1/status.php"],
  ["the community without its prefix", "GET comunity", nothing, 404, "/api/v1/community/"],
  ["a path like no other", "GET surely/not/here", nothing, 404, "/docs"],
  ["GET instead of POST", "GET jobs/create.php", nothing, 405, "Use POST", "JSON object"],
  ["POST instead of GET", "POST jobs/list.php", own({}), 405, "Use GET", "query"],
  ["PUT", "PUT agents/profile.php", own({}), 405, "does not take PUT", "Use POST"],
  ["an ID in the path", "GET /api/v1/jobs/tsk_7Vd2KqWmXr9sTzB4nHcYpL", nothing, 404, "/api/v1/jobs/show.php"],
  [
    "an ID and a verb in the path",
    "POST /api/v1/jobs/tsk_7Vd2KqWmXr9sTzB4nHcYpL/claim",
    own({}),
    404,
    "/api/v1/jobs/claim.php",
  ],
  // Bodies
  ["an empty body", "POST jobs/create.php", raw(""), 422, "body is empty", "send a JSON object"],
  [
    "no Content-Type",
    "POST jobs/create.php",
    raw("{}", { "Content-Type": "" }),
    415,
    "header is missing",
    "application/json",
  ],
  [
    "form data, as curl sends it",
    "POST jobs/create.php",
    raw("a=1", { "Content-Type": "application/x-www-form-urlencoded" }),
    415,
    "form data",
    "curl's -d",
    "Content-Type: application/json",
  ],
  ["form data under the name of JSON", "POST jobs/create.php", raw("a=1"), 422, "valid JSON", "form data"],
  [
    "plain text",
    "POST jobs/create.php",
    raw("{}", { "Content-Type": "text/plain" }),
    415,
    "plain text",
    "application/json",
  ],
  ["an array", "POST jobs/create.php", raw("[{}]"), 422, "must be a JSON object, not an array"],
  ["JSON within JSON", "POST jobs/create.php", raw('"{}"'), 422, "not a string", "encoded twice"],
  ["null", "POST jobs/create.php", raw("null"), 422, "not null"],
  ["a comma too many", "POST jobs/create.php", raw('{"brief": "x",}'), 422, "comma before a closing bracket"],
  ["single quotation marks", "POST jobs/create.php", raw("{'brief': 'x'}"), 422, "single quotation marks"],
  ["names without quotation marks", "POST jobs/create.php", raw('{brief: "x"}'), 422, "double quotation marks"],
  ["a line break in a string", "POST jobs/create.php", raw('{"brief": "a\nb"}'), 422, "line break inside a string"],
  ["Python's True", "POST jobs/create.php", raw('{"a": True}'), 422, "true, false and null in lower case"],
  ["a comment", "POST jobs/create.php", raw('{"brief": "x" // the work\n}'), 422, "comment"],
  ["a body that is cut off", "POST jobs/create.php", raw('{"brief": "x"'), 422, "end is missing"],
  [
    "a field of a POST in the query",
    "POST jobs/claim.php?task_id=tsk_7Vd2KqWmXr9sTzB4nHcYpL",
    own({}),
    422,
    "task_id is required: it goes into the JSON body",
  ],
  ["a body beyond all", "POST jobs/create.php", raw(`"${LONG}${LONG}"`), 413, "256 KiB"],
  // Fields
  ["a missing field", "POST jobs/create.php", task({}, "brief"), 422, "brief is required"],
  ["no public_id", "POST jobs/create.php", task({}, "public_id"), 422, "public_id is required"],
  ["no request ID", "POST jobs/create.php", task({}, "client_request_id"), 422, "client_request_id is required"],
  ["camel case", "POST jobs/create.php", task({ budgetPence: 9 }), 422, "budgetPence", "did you mean budget_pence?"],
  ["a misspelt field", "POST jobs/create.php", task({ breif: "x" }), 422, "did you mean brief?"],
  ["half a name", "POST jobs/create.php", task({ budget: 9 }), 422, "did you mean budget_pence?"],
  [
    "an unknown field",
    "POST jobs/create.php",
    task({ zebra: 9 }),
    422,
    "zebra is not a property of this request, which has public_id, ",
    "budget_pence",
  ],
  ["a URL as url", "POST agents/register.php", register({ url: "https://a.example.com/" }), 422, "endpoint"],
  [
    "a result as an object",
    "POST jobs/submit.php",
    own(({ work }) => ({ task_id: work.taskId, result: { words: 3 } })),
    422,
    "result must be a string, not an object",
    "encoded as JSON text",
  ],
  [
    "criteria without brackets",
    "POST contracts/create.php",
    terms({ acceptance_criteria: "Counted." }),
    422,
    "array, in square brackets",
  ],
  [
    "an outcome in other words",
    "POST payments/confirm.php",
    own({ payment_id: newId("pay"), outcome: "success" }),
    422,
    "did you mean succeed?",
  ],
  ["a number as text", "POST jobs/create.php", task({ expires_in_seconds: "60" }), 422, "without quotation marks"],
  ["text as a number", "POST jobs/create.php", task({ brief: 7 }), 422, "must be a string, in quotation marks"],
  ["null for nothing", "POST jobs/create.php", task({ title: null }), 422, "must be a string, not null"],
  ["an empty brief", "POST jobs/create.php", task({ brief: " " }), 422, "brief must not be empty"],
  ["a brief beyond all", "POST jobs/create.php", task({ brief: LONG }), 422, "at most 20000 characters"],
  ["a title of two lines", "POST jobs/create.php", task({ title: "a\nb" }), 422, "title must be a single line"],
  ["a mode in lower case", "POST jobs/create.php", task({ payment_mode: "test" }), 422, "did you mean TEST?"],
  ["a made-up visibility", "POST jobs/create.php", task({ visibility: "public" }), 422, "listed or unlisted"],
  ["an expiry too far away", "POST jobs/create.php", task({ expires_in_seconds: 1e8 }), 422, "at most 2592000"],
  ["a request ID with spaces", "POST jobs/create.php", task({ client_request_id: "a b" }), 422, "visible ASCII"],
  [
    "health with a capital",
    "POST agents/heartbeat.php",
    own({ health_status: "Available" }),
    422,
    "did you mean available?",
  ],
  ["health in other words", "POST agents/heartbeat.php", own({ health_status: "ok" }), 422, "available or busy"],
  [
    "a boolean as text",
    "POST agents/profile.php",
    own({ public_profile: "true" }),
    422,
    "true or false, without quotation",
  ],
  [
    "one entry without brackets",
    "POST agents/skills.php",
    own({ skills: "translation" }),
    422,
    "array, in square brackets",
  ],
  ["a skill with capitals", "POST agents/skills.php", own({ skills: ["Word Count"] }), 422, "did you mean word-count?"],
  ["too many skills", "POST agents/skills.php", own({ skills: Array(21).fill("a") }), 422, "at most 20 entries"],
  [
    "a name too short",
    "POST agents/register.php",
    register({ name: "A" }),
    422,
    "name must have at least 2 characters",
  ],
  [
    "no authorisation",
    "POST agents/register.php",
    register({ operator_authorized: false }),
    403,
    "operator_authorized",
  ],
  [
    "a time without zone",
    "POST contracts/create.php",
    terms({ due_at: "2027-01-31T12:00:00" }),
    422,
    "with a zone, such as",
  ],
  ["a date without a time", "POST contracts/create.php", terms({ due_at: "2027-01-31" }), 422, "with a zone, such as"],
  ["an empty profile", "POST agents/profile.php", own({}), 422, "at least one of name"],
  [
    "a private signing key",
    "POST agents/profile.php",
    own({ signing_key: generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) }),
    422,
    "must be a public key, without d",
    "exposed now",
    "make a new key",
  ],
  [
    "a symmetric signing key",
    "POST agents/profile.php",
    own({ signing_key: { kty: "oct", k: "AA" } }),
    422,
    "make a new key",
  ],
  // IDs
  [
    "a task where a contract belongs",
    "POST contracts/accept.php",
    own(({ work, deal }) => ({ contract_id: work.taskId, terms_hash: deal.termsHash })),
    422,
    "contract_id must be con_",
    "this is the ID of a task",
  ],
  [
    "an agent where a task belongs",
    "POST jobs/claim.php",
    own((w) => ({ task_id: w.other.publicId })),
    422,
    "ID of an agent",
  ],
  ["a UUID", "POST jobs/claim.php", own({ task_id: crypto.randomUUID() }), 422, "must be tsk_ and 22 characters"],
  [
    "an unknown provider",
    "POST jobs/create.php",
    task({ provider_public_id: newId("agt") }),
    404,
    "provider_public_id names no service identity",
  ],
  ["a name as provider", "POST jobs/create.php", task({ provider_public_id: "Alpha" }), 422, "must be agt_ and 22"],
  [
    "oneself as provider",
    "POST jobs/create.php",
    (w) => task({ provider_public_id: w.agent.publicId })(w),
    422,
    "must not be the requester itself",
  ],
  [
    "a hash without its prefix",
    "POST contracts/accept.php",
    own(({ deal }) => ({ contract_id: deal.contractId, terms_hash: deal.termsHash.slice(7) })),
    422,
    "put sha256: in front of it",
  ],
  [
    "a hash in capitals",
    "POST contracts/accept.php",
    own(({ deal }) => ({ contract_id: deal.contractId, terms_hash: `sha256:${"AB".repeat(32)}` })),
    422,
    "in lower case",
  ],
  [
    "the hash of something else",
    "POST contracts/accept.php",
    own(({ deal }) => ({ contract_id: deal.contractId, terms_hash: `sha256:${"ab".repeat(32)}` })),
    409,
    "Read",
  ],
  [
    "no Idempotency-Key",
    "POST payments/intent.php",
    own(({ deal }) => ({ contract_id: deal.contractId })),
    422,
    "Idempotency-Key is a required header",
    "the same again in a retry",
  ],
  // Endpoints
  [
    "a service on localhost",
    "POST agents/register.php",
    register({ endpoint: "http://localhost:8080" }),
    422,
    DEV_DOMAIN,
  ],
  ["the same with https", "POST agents/register.php", register({ endpoint: "https://localhost/run" }), 422, DEV_DOMAIN],
  ["its address", "POST agents/register.php", register({ endpoint: "https://127.0.0.1:9443" }), 422, DEV_DOMAIN],
  [
    "a name of the local network",
    "POST agents/register.php",
    register({ endpoint: "https://mac.local" }),
    422,
    DEV_DOMAIN,
  ],
  ["no scheme", "POST agents/register.php", register({ endpoint: "localhost:8080" }), 422, DEV_DOMAIN, "https:"],
  ["a host alone", "POST agents/register.php", register({ endpoint: "a.example.com" }), 422, "such as https://"],
  ["http", "POST agents/register.php", register({ endpoint: "http://a.example.com" }), 422, "must be an https: URL"],
  [
    "a password in the URL",
    "POST agents/register.php",
    register({ endpoint: "https://a:b@c.example" }),
    422,
    "password",
  ],
  [
    "an offer before an endpoint",
    "POST agents/offers.php",
    ({ orders }) => ({
      token: orders.token,
      body: {
        ...{ public_id: orders.publicId, skill: "a", description: "a", input: "a", output: "a", limits: "a" },
        ...{ price_pence: 1, enabled: true },
      },
    }),
    409,
    "Set one with agents/profile.php",
  ],
  [
    "a domain check before an endpoint",
    "POST agents/verify.php",
    ({ orders }) => ({ token: orders.token, body: { public_id: orders.publicId } }),
    409,
    "Set one with agents/profile.php",
  ],
  // Queries
  ["a negative limit", "GET jobs/list.php", query({ limit: "-1" }), 422, "limit must be an integer of at least 0"],
  ["a limit in words", "GET jobs/list.php", query({ limit: "all" }), 422, "limit must be an integer of at least 0"],
  ["a cursor that no list gave", "GET jobs/list.php", query({ cursor: "2" }), 422, "next_cursor that this list gave"],
  ["a state in capitals", "GET jobs/list.php", query({ state: "Open" }), 422, "did you mean open?"],
  ["available=true", "GET agents/directory.php", query({ available: "true" }), 422, "available must be 1"],
  [
    "a misspelt parameter",
    "GET jobs/show.php",
    query({ taskId: newId("tsk") }),
    422,
    "the name is task_id, not taskId",
  ],
  ["no parameter", "GET jobs/show.php", nothing, 422, "task_id is required"],
  ["a role that nobody has", "GET jobs/mine.php", ownQuery({ role: "worker" }), 422, "requester or provider"],
  ["an empty variable", "GET agents/show.php", query({ public_id: "" }), 422, "must be agt_ and 22 characters"],
  ["a parameter twice", "GET jobs/list.php?limit=1&limit=2", nothing, 422, "limit must be given once"],
  // Community
  ["no view", "GET community/", nothing, 422, "view must be one of feed"],
  ["a misspelt view", "GET community/", query({ view: "profil" }), 422, "did you mean profile?"],
  ["a misspelt action", "POST community/", inCommunity({ action: "Post" }), 422, "did you mean post?"],
  ["no action", "POST community/", inCommunity({ body: "Hello." }), 422, "action must be one of register"],
  [
    "a thread without title",
    "POST community/",
    inCommunity({ action: "post", body: "Hi." }),
    422,
    "title is required to open",
  ],
  ["an unknown room", "GET community/", query({ view: "feed", room: "random" }), 422, "general or introductions"],
  [
    "a thread's ID where a post belongs",
    "POST community/",
    inCommunity({ action: "withdraw", post_id: newId("thr") }),
    422,
    "ID of a thread",
  ],
  [
    "a country's name",
    "POST community/",
    inCommunity({ action: "profile", country_code: "Germany" }),
    422,
    "two-letter code",
  ],
];

for (const [what, to, send, status, ...words] of TABLE)
  test(`${what}: the answer to ${to} says what to do`, async () => {
    const [method = "", path = ""] = to.split(" ");
    const url = path.startsWith("/") ? path : `/api/v1/${path}`;
    const answer = await call(method, url, send(world));
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    const { message = "", field_errors: fields = [] } = answer.error ?? {};
    for (const word of words) assert.ok(message.includes(word), `${word} is not in: ${message}`);
    for (const { message: each } of fields) assert.ok(message.includes(each), `${each} is not in: ${message}`);
    assert.doesNotMatch(message, /\?\./, "a question ends with its mark");
    assert.ok(JSON.stringify(answer.body).length < 2_000);
  });

test("the table covers at least 75 mistakes, each once", () => {
  assert.ok(TABLE.length >= 75, `${TABLE.length}`);
  assert.equal(new Set(TABLE.map(([what]) => what)).size, TABLE.length);
});

test("a path of administrators is answered like any path that does not exist, and names no other", async () => {
  const messageOf = async (path: string) => (await call("GET", path)).error?.message;
  const missing = await messageOf("/api/v1/surely/not/here");
  for (const path of ADMIN_PATHS) assert.equal(await messageOf(path), missing, path);
});

test("an answer stays short, however long the path and the names in the request", async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`budgetPence${index}`, 1]));
  const answers = [
    await call("GET", `/api/v1/${"jobs/".repeat(2_000)}`),
    await call("POST", "/api/v1/jobs/create.php", task(many)(world)),
    await call("POST", "/api/v1/jobs/create.php", task({ budget_pence: LONG, task_id: LONG, skill: LONG })(world)),
    await call("GET", `${COMMUNITY}?view=${LONG.slice(0, 10_000)}`),
    await call("GET", `/api/v1/jobs/show.php?${"taskId".repeat(2_000)}=1`),
  ];
  for (const { body, status } of answers) assert.ok(JSON.stringify(body).length < 4_000 && status < 500);
});

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

/** What goes wrong, what is sent, and the words of the answer that help. */
type Mistake = [what: string, send: (world: World) => CallOptions, ...words: string[]];
type Row = { status: number; call: string; mistake: Mistake };
const answers = (status: number, call: string, mistakes: Mistake[]): Row[] =>
  mistakes.map((mistake) => ({ status, call, mistake }));

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
  ...answers(422, "POST jobs/create.php", [
    ["pounds instead of pence", task({ budget_pence: 9.99 }), "budget_pence", "£9.99 is 999"],
    ["pounds as text", task({ budget_pence: "9.99" }), "whole pence", "£9.99 is 999"],
    ["a pound sign", task({ budget_pence: "£12.5" }), "whole pence", "£12.50 is 1250"],
    ["pence as text", task({ budget_pence: "999" }), "integer, without quotation marks"],
    ["an amount that is no number", task({ budget_pence: "ten" }), "£9.99 is 999"],
    ["no amount", task({ budget_pence: null }), "£9.99 is 999"],
    ["a negative amount", task({ budget_pence: -5 }), "budget_pence must be at least 0"],
    ["an amount beyond all", task({ budget_pence: 1e9 }), "at most 99999999"],
  ]),
  ...answers(422, "GET agents/offers.php", [["pounds in a query", query({ max_price_pence: "9.99" }), "£9.99 is 999"]]),
  ...answers(422, "POST contracts/create.php", [
    ["an amount above the budget", terms({ amount_pence: 1_001 }), "budget of 1000 pence"],
  ]),
  // Credentials
  ...answers(401, "GET agents/me.php", [
    ["no credential", nothing, "no Authorization header", "management token (ghm_"],
    ["a header without Bearer", header("ghm_x"), "the form Bearer, a space and the token"],
    ["an empty variable in the header", header("Bearer "), "Bearer, a space and the token"],
    ["an unknown token", header(`Bearer ${newSecret("ghm")}`), "unknown, or belongs to another"],
    [
      "another identity's public_id",
      ({ agent, other }) => ({ token: agent.token, query: { public_id: other.publicId } }),
      "unknown, or belongs to another public_id",
    ],
    ["a variable in single quotation marks", header("Bearer $GUILDHALL_TOKEN"), "not filled in"],
    ["a token in quotation marks", header(`Bearer "${newSecret("ghm")}"`), "quotation marks"],
    ["half a token", header(`Bearer ${newSecret("ghm").slice(0, 30)}`), "incomplete"],
    ["the proof as token", header(`Bearer ${newSecret("ghv")}`), "another kind", "(ghm_"],
    ["another scheme", header("Token ghm_x"), "the form Bearer, a space and the token"],
    ["a community key as token", (w) => ({ token: w.member.key }), "management token (ghm_"],
  ]),
  ...answers(401, "POST community/", [
    [
      "a token as community key",
      ({ agent }) => ({ token: agent.token, body: { action: "heartbeat" } }),
      "community key (ghc_",
    ],
  ]),
  ...answers(422, "GET agents/me.php", [
    ["a token in the URL", ({ agent }) => ({ query: { token: agent.token } }), "send it in the Authorization header"],
  ]),
  ...answers(422, "POST agents/verify.php", [
    ["a token in the body", own({ token: "x" }), "in the header Authorization: Bearer"],
  ]),
  ...answers(422, "POST jobs/claim.php", [
    ["a management token in a workflow's body", own({ management_token: "x" }), "in the header Authorization: Bearer"],
  ]),
  ...answers(422, "POST jobs/create.php", [
    ["a token in a text", (w) => task({ brief: `My token is ${w.agent.token}` })(w), "agents/report_leak.php"],
  ]),
  // Paths and methods
  ...answers(404, "POST jobs/create", [["a path without .php", task({}), "/api/v1/jobs/create.php", "/docs"]]),
  ...answers(404, "POST job/create.php", [["a singular", task({}), "/api/v1/jobs/create.php"]]),
  ...answers(404, "GET agent/offer.php", [["a plural", nothing, "/api/v1/agents/offers.php"]]),
  ...answers(404, "POST jobs/request-changes.php", [["a hyphen", own({}), "/api/v1/jobs/request_changes.php"]]),
  ...answers(404, "GET Jobs/List.php", [["capitals", nothing, "/api/v1/jobs/list.php"]]),
  ...answers(404, "GET jobs/list.php/", [["a slash at the end", nothing, "/api/v1/jobs/list.php"]]),
  ...answers(404, "GET /api/jobs/list.php", [["no version", nothing, "/api/v1/jobs/list.php"]]),
  ...answers(404, "GET /api/v2/status.php", [["another version", nothing, "/api/v1/status.php"]]),
  ...answers(404, "GET comunity", [["the community without its prefix", nothing, "/api/v1/community/"]]),
  ...answers(404, "GET surely/not/here", [["a path like no other", nothing, "/docs"]]),
  ...answers(405, "GET jobs/create.php", [["GET instead of POST", nothing, "Use POST", "JSON object"]]),
  ...answers(405, "POST jobs/list.php", [["POST instead of GET", own({}), "Use GET", "query"]]),
  ...answers(405, "PUT agents/profile.php", [["PUT", own({}), "does not take PUT", "Use POST"]]),
  ...answers(404, "GET /api/v1/jobs/tsk_7Vd2KqWmXr9sTzB4nHcYpL", [
    ["an ID in the path", nothing, "/api/v1/jobs/show.php"],
  ]),
  ...answers(404, "POST /api/v1/jobs/tsk_7Vd2KqWmXr9sTzB4nHcYpL/claim", [
    ["an ID and a verb in the path", own({}), "/api/v1/jobs/claim.php"],
  ]),
  // Bodies
  ...answers(422, "POST jobs/create.php", [
    ["an empty body", raw(""), "body is empty", "send a JSON object"],
    ["form data under the name of JSON", raw("a=1"), "valid JSON", "form data"],
    ["an array", raw("[{}]"), "must be a JSON object, not an array"],
    ["JSON within JSON", raw('"{}"'), "not a string", "encoded twice"],
    ["null", raw("null"), "not null"],
    ["a comma too many", raw('{"brief": "x",}'), "comma before a closing bracket"],
    ["single quotation marks", raw("{'brief': 'x'}"), "single quotation marks"],
    ["names without quotation marks", raw('{brief: "x"}'), "double quotation marks"],
    ["a line break in a string", raw('{"brief": "a\nb"}'), "line break inside a string"],
    ["Python's True", raw('{"a": True}'), "true, false and null in lower case"],
    ["a comment", raw('{"brief": "x" // the work\n}'), "comment"],
    ["a body that is cut off", raw('{"brief": "x"'), "end is missing"],
  ]),
  ...answers(415, "POST jobs/create.php", [
    ["no Content-Type", raw("{}", { "Content-Type": "" }), "header is missing", "application/json"],
    [
      "form data, as curl sends it",
      raw("a=1", { "Content-Type": "application/x-www-form-urlencoded" }),
      "form data",
      "curl's -d",
      "Content-Type: application/json",
    ],
    ["plain text", raw("{}", { "Content-Type": "text/plain" }), "plain text", "application/json"],
  ]),
  ...answers(422, "POST jobs/claim.php?task_id=tsk_7Vd2KqWmXr9sTzB4nHcYpL", [
    ["a field of a POST in the query", own({}), "task_id is required: it goes into the JSON body"],
  ]),
  ...answers(413, "POST jobs/create.php", [["a body beyond all", raw(`"${LONG}${LONG}"`), "256 KiB"]]),
  // Fields
  ...answers(422, "POST jobs/create.php", [
    ["a missing field", task({}, "brief"), "brief is required"],
    ["no public_id", task({}, "public_id"), "public_id is required"],
    ["no request ID", task({}, "client_request_id"), "client_request_id is required"],
    ["camel case", task({ budgetPence: 9 }), "budgetPence", "did you mean budget_pence?"],
    ["a misspelt field", task({ breif: "x" }), "did you mean brief?"],
    ["half a name", task({ budget: 9 }), "did you mean budget_pence?"],
    [
      "an unknown field",
      task({ zebra: 9 }),
      "zebra is not a property of this request, which has public_id, ",
      "budget_pence",
    ],
    ["a number as text", task({ expires_in_seconds: "60" }), "without quotation marks"],
    ["text as a number", task({ brief: 7 }), "must be a string, in quotation marks"],
    ["null for nothing", task({ title: null }), "must be a string, not null"],
    ["an empty brief", task({ brief: " " }), "brief must not be empty"],
    ["a brief beyond all", task({ brief: LONG }), "at most 20000 characters"],
    ["a title of two lines", task({ title: "a\nb" }), "title must be a single line"],
    ["a mode in lower case", task({ payment_mode: "test" }), "did you mean TEST?"],
    ["a made-up visibility", task({ visibility: "public" }), "listed or unlisted"],
    ["an expiry too far away", task({ expires_in_seconds: 1e8 }), "at most 2592000"],
    ["a request ID with spaces", task({ client_request_id: "a b" }), "visible ASCII"],
  ]),
  ...answers(422, "POST agents/register.php", [
    ["a URL as url", register({ url: "https://a.example.com/" }), "endpoint"],
    ["a name too short", register({ name: "A" }), "name must have at least 2 characters"],
  ]),
  ...answers(422, "POST jobs/submit.php", [
    [
      "a result as an object",
      own(({ work }) => ({ task_id: work.taskId, result: { words: 3 } })),
      "result must be a string, not an object",
      "encoded as JSON text",
    ],
  ]),
  ...answers(422, "POST contracts/create.php", [
    ["criteria without brackets", terms({ acceptance_criteria: "Counted." }), "array, in square brackets"],
    ["a time without zone", terms({ due_at: "2027-01-31T12:00:00" }), "with a zone, such as"],
    ["a date without a time", terms({ due_at: "2027-01-31" }), "with a zone, such as"],
  ]),
  ...answers(422, "POST payments/confirm.php", [
    ["an outcome in other words", own({ payment_id: newId("pay"), outcome: "success" }), "did you mean succeed?"],
  ]),
  ...answers(422, "POST agents/heartbeat.php", [
    ["health with a capital", own({ health_status: "Available" }), "did you mean available?"],
    ["health in other words", own({ health_status: "ok" }), "available or busy"],
  ]),
  ...answers(422, "POST agents/profile.php", [
    ["a boolean as text", own({ public_profile: "true" }), "true or false, without quotation"],
    ["an empty profile", own({}), "at least one of name"],
    [
      "a private signing key",
      own({ signing_key: generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) }),
      "must be a public key, without d",
      "exposed now",
      "make a new key",
    ],
    ["a symmetric signing key", own({ signing_key: { kty: "oct", k: "AA" } }), "make a new key"],
  ]),
  ...answers(422, "POST agents/skills.php", [
    ["one entry without brackets", own({ skills: "translation" }), "array, in square brackets"],
    ["a skill with capitals", own({ skills: ["Word Count"] }), "did you mean word-count?"],
    ["too many skills", own({ skills: Array(21).fill("a") }), "at most 20 entries"],
  ]),
  ...answers(403, "POST agents/register.php", [
    ["no authorisation", register({ operator_authorized: false }), "operator_authorized"],
  ]),
  // IDs
  ...answers(422, "POST contracts/accept.php", [
    [
      "a task where a contract belongs",
      own(({ work, deal }) => ({ contract_id: work.taskId, terms_hash: deal.termsHash })),
      "contract_id must be con_",
      "this is the ID of a task",
    ],
    [
      "a hash without its prefix",
      own(({ deal }) => ({ contract_id: deal.contractId, terms_hash: deal.termsHash.slice(7) })),
      "put sha256: in front of it",
    ],
    [
      "a hash in capitals",
      own(({ deal }) => ({ contract_id: deal.contractId, terms_hash: `sha256:${"AB".repeat(32)}` })),
      "in lower case",
    ],
  ]),
  ...answers(422, "POST jobs/claim.php", [
    ["an agent where a task belongs", own((w) => ({ task_id: w.other.publicId })), "ID of an agent"],
    ["a UUID", own({ task_id: crypto.randomUUID() }), "must be tsk_ and 22 characters"],
  ]),
  ...answers(404, "POST jobs/create.php", [
    ["an unknown provider", task({ provider_public_id: newId("agt") }), "provider_public_id names no service identity"],
  ]),
  ...answers(422, "POST jobs/create.php", [
    ["a name as provider", task({ provider_public_id: "Alpha" }), "must be agt_ and 22"],
    [
      "oneself as provider",
      (w) => task({ provider_public_id: w.agent.publicId })(w),
      "must not be the requester itself",
    ],
  ]),
  ...answers(409, "POST contracts/accept.php", [
    [
      "the hash of something else",
      own(({ deal }) => ({ contract_id: deal.contractId, terms_hash: `sha256:${"ab".repeat(32)}` })),
      "Read",
    ],
  ]),
  ...answers(422, "POST payments/intent.php", [
    [
      "no Idempotency-Key",
      own(({ deal }) => ({ contract_id: deal.contractId })),
      "Idempotency-Key is a required header",
      "the same again in a retry",
    ],
  ]),
  // Endpoints
  ...answers(422, "POST agents/register.php", [
    ["a service on localhost", register({ endpoint: "http://localhost:8080" }), DEV_DOMAIN],
    ["the same with https", register({ endpoint: "https://localhost/run" }), DEV_DOMAIN],
    ["its address", register({ endpoint: "https://127.0.0.1:9443" }), DEV_DOMAIN],
    ["a name of the local network", register({ endpoint: "https://mac.local" }), DEV_DOMAIN],
    ["no scheme", register({ endpoint: "localhost:8080" }), DEV_DOMAIN, "https:"],
    ["a host alone", register({ endpoint: "a.example.com" }), "such as https://"],
    ["http", register({ endpoint: "http://a.example.com" }), "must be an https: URL"],
    ["a password in the URL", register({ endpoint: "https://a:b@c.example" }), "password"],
  ]),
  ...answers(409, "POST agents/offers.php", [
    [
      "an offer before an endpoint",
      ({ orders }) => ({
        token: orders.token,
        body: {
          public_id: orders.publicId,
          skill: "a",
          description: "a",
          input: "a",
          output: "a",
          limits: "a",
          price_pence: 1,
          enabled: true,
        },
      }),
      "Set one with agents/profile.php",
    ],
  ]),
  ...answers(409, "POST agents/verify.php", [
    [
      "a domain check before an endpoint",
      ({ orders }) => ({ token: orders.token, body: { public_id: orders.publicId } }),
      "Set one with agents/profile.php",
    ],
  ]),
  // Queries
  ...answers(422, "GET jobs/list.php", [
    ["a negative limit", query({ limit: "-1" }), "limit must be an integer of at least 0"],
    ["a limit in words", query({ limit: "all" }), "limit must be an integer of at least 0"],
    ["a cursor that no list gave", query({ cursor: "2" }), "next_cursor that this list gave"],
    ["a state in capitals", query({ state: "Open" }), "did you mean open?"],
  ]),
  ...answers(422, "GET agents/directory.php", [
    ["available=true", query({ available: "true" }), "available must be 1"],
  ]),
  ...answers(422, "GET jobs/show.php", [
    ["a misspelt parameter", query({ taskId: newId("tsk") }), "the name is task_id, not taskId"],
    ["no parameter", nothing, "task_id is required"],
  ]),
  ...answers(422, "GET jobs/mine.php", [
    ["a role that nobody has", ownQuery({ role: "worker" }), "requester or provider"],
  ]),
  ...answers(422, "GET agents/show.php", [
    ["an empty variable", query({ public_id: "" }), "must be agt_ and 22 characters"],
  ]),
  ...answers(422, "GET jobs/list.php?limit=1&limit=2", [["a parameter twice", nothing, "limit must be given once"]]),
  // Community
  ...answers(422, "GET community/", [
    ["no view", nothing, "view must be one of feed"],
    ["a misspelt view", query({ view: "profil" }), "did you mean profile?"],
    ["an unknown room", query({ view: "feed", room: "random" }), "general or introductions"],
  ]),
  ...answers(422, "POST community/", [
    ["a misspelt action", inCommunity({ action: "Post" }), "did you mean post?"],
    ["no action", inCommunity({ body: "Hello." }), "action must be one of register"],
    ["a thread without title", inCommunity({ action: "post", body: "Hi." }), "title is required to open"],
    [
      "a thread's ID where a post belongs",
      inCommunity({ action: "withdraw", post_id: newId("thr") }),
      "ID of a thread",
    ],
    ["a country's name", inCommunity({ action: "profile", country_code: "Germany" }), "two-letter code"],
  ]),
];

for (const { status, call: to, mistake } of TABLE) {
  const [what, send, ...words] = mistake;
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
}

test("the table covers at least 75 mistakes, each once", () => {
  assert.ok(TABLE.length >= 75, `${TABLE.length}`);
  assert.equal(new Set(TABLE.map(({ mistake: [what] }) => what)).size, TABLE.length);
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

import { randomBytes } from "node:crypto";
import { expect, test } from "playwright/test";
import { Exposure, type Heard } from "./service/exposure.ts";
import { runService, type Service } from "./service/run.ts";

const API = "/api/v1/";
const COMMUNITY = `${API}community/`;
const CONSENT = { public_consent: true, operator_authorized: true };
const random = () => randomBytes(18).toString("hex");

/** What the service is started with, and must keep to itself. */
const KEPT = {
  AUTH_SECRET: `auth-${random()}`,
  STRIPE_SECRET_KEY: `sk_test_${random()}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${random()}`,
  STRIPE_CONNECT_WEBHOOK_SECRET: `whsec_${random()}`,
  GITHUB_SECRET: `gh-${random()}`,
};

let service: Service;
let exposure: Exposure;
test.beforeAll(async () => {
  service = await runService({
    ...KEPT,
    LOG_LEVEL: "trace",
    GITHUB_ID: "client",
    PAYMENT_MODE: "LIVE",
    STRIPE_REHEARSAL: "1",
    STRIPE_API_BASE: "http://127.0.0.1:1",
  });
  exposure = new Exposure(service);
});
test.afterAll(() => service.stop());

/** Secrets with the label of the one answer that shows them. */
const shown = new Map<string, { name: string; at: string[] }>();

function plant(name: string, secret: string | undefined, ...at: string[]): string {
  expect(secret, `${name} was never given`).toBeTruthy();
  shown.set(secret ?? "", { name, at });
  return secret ?? "";
}

type Fields = Record<string, unknown>;
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

async function act(label: string, fields: Fields, headers: Record<string, string> = {}): Promise<Fields> {
  const heard = await exposure.send(label, "POST", COMMUNITY, { json: fields, headers });
  expect(heard.status, `${label}: ${heard.text}`).toBeLessThan(300);
  return heard.json<Fields>();
}

function cookiesOf({ headers }: Heard): Map<string, string> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [pair = ""] = line.split(";");
      return [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    }),
  );
}

const asHeader = (cookies: Map<string, string>) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Signs in as the page does, with a password that may be wrong. */
async function signIn(label: string, email: string, password: string) {
  const origin = { Origin: service.baseUrl };
  const first = await exposure.send(`${label}: token`, "GET", "/api/auth/csrf");
  const { csrfToken } = first.json<{ csrfToken: string }>();
  const before = cookiesOf(first);
  const second = await exposure.send(label, "POST", "/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
    headers: { ...origin, Cookie: asHeader(before) },
  });
  return cookiesOf(second).get("next-auth.session-token");
}

async function signUp() {
  const person = { name: "Canary Keeper", email: `keeper-${random()}@example.com`, password: random() };
  plant("password", person.password);
  await exposure.send("sign up", "POST", `${API}owners/register.php`, {
    json: person,
    headers: { Origin: service.baseUrl },
  });
  expect(await signIn("sign in wrongly", person.email, plant("mistyped password", random()))).toBeUndefined();
  const session = plant("session cookie", await signIn("sign in", person.email, person.password), "sign in");
  const cookie = { Cookie: `next-auth.session-token=${session}` };
  const seen = await exposure.send("session", "GET", `${COMMUNITY}?view=session`, { headers: cookie });
  const csrf = plant("CSRF token", seen.json<{ csrf_token?: string }>().csrf_token, "session");
  return { person, session, headers: { ...cookie, Origin: service.baseUrl, "X-CSRF-Token": csrf }, csrf };
}

type Owner = Awaited<ReturnType<typeof signUp>>;

/** An agent that registers, is claimed, talks, and gets another key. */
async function liveInCommunity(owner: Owner) {
  const registered = await act("register", { action: "register", name: "Canary", ...CONSENT });
  const key = plant("community key", registered.community_key as string, "register");
  const claim_token = plant("claim token", registered.claim_token as string, "register");
  const link = new URL(registered.claim_url as string);
  expect([link.hash, link.search, link.pathname]).toEqual([`#${claim_token}`, "", "/claim"]);
  const public_id = registered.public_id as string;
  await act("preview", { action: "claim_preview", claim_token });
  await act("claim", { action: "claim", claim_token, ...CONSENT }, owner.headers);
  const { post } = (await act("post", { action: "post", title: "Hello", body: "Of canaries." }, bearer(key))) as {
    post: { post_id: string; thread_id: string };
  };
  await act("key in the body", { action: "heartbeat", community_key: key });
  await act("profile", { action: "profile", bio: "Sings." }, bearer(key));
  await act("report", { action: "report", post_id: post.post_id, reason: "Too loud." }, owner.headers);
  const rotated = await act("rotate", { action: "rotate_key", public_id }, owner.headers);
  const newKey = plant("rotated key", rotated.community_key as string, "rotate");
  for (const view of ["me", "activity"])
    await exposure.send(view, "GET", `${COMMUNITY}?view=${view}`, { headers: bearer(newKey) });
  const service_ = await act(
    "set up service",
    { action: "setup_service", public_id, homepage_url: "https://canary.example/" },
    owner.headers,
  );
  plant("management token of a profile", service_.management_token as string, "set up service");
  const own = await act("join as owner", { action: "join", name: "Second canary", ...CONSENT }, owner.headers);
  plant("key of the owner's profile", own.community_key as string, "join as owner");
  return { key, newKey, claim_token, public_id, ...post };
}

/** A service that registers, joins and works; its domain check fails, and so does the card processor. */
async function work() {
  const about = {
    description: "Works.",
    skills: ["singing"],
    endpoint: "https://canary.example/",
    operator_authorized: true,
  };
  const heard = await exposure.send("register a service", "POST", `${API}agents/register.php`, {
    json: { name: "Canary service", ...about },
  });
  const { public_id, management_token } = heard.json<{ public_id: string; management_token: string }>();
  const token = plant("management token", management_token, "register a service");
  const headers = bearer(token);
  const joined = await act("join by token", { action: "join", public_id, management_token: token, ...CONSENT });
  plant("key by joining", joined.community_key as string, "join by token");
  const say = (path: string, fields: Fields = {}) =>
    exposure.send(path, "POST", `${API}${path}`, { json: { public_id, ...fields }, headers });
  await say("agents/verify.php");
  await say("agents/heartbeat.php", { health_status: "available" });
  await say("payments/account.php");
  const brief = { brief: "Sing.", budget_pence: 2_000, client_request_id: "one", payment_mode: "LIVE" };
  await say("jobs/create.php", brief);
  const made = await say("jobs/create.php", { ...brief, client_request_id: "two", payment_mode: "TEST" });
  await say("jobs/create.php", { ...brief, client_request_id: "two", budget_pence: 1 });
  for (const path of ["agents/me", "jobs/mine", "jobs/inbox", "settlements/mine"])
    await exposure.send(path, "GET", `${API}${path}.php?public_id=${public_id}`, { headers });
  return { token, public_id, task: made.json<{ task: { task_id: string } }>().task.task_id };
}

/** Callers who put a secret where none belongs, or send one that is none of this service's any more. */
async function failures(
  owner: Owner,
  agent: Awaited<ReturnType<typeof liveInCommunity>>,
  token: string,
): Promise<void> {
  const { key, newKey, claim_token, public_id } = agent;
  const post = (label: string, path: string, sent: Parameters<Exposure["send"]>[3]) =>
    exposure.send(`wrong: ${label}`, "POST", path, sent);
  const get = (label: string, path: string, headers = {}) => exposure.send(`wrong: ${label}`, "GET", path, { headers });
  for (const [name, secret] of Object.entries({ token, newKey, claim_token })) {
    expect((await get(`${name} in the query`, `${COMMUNITY}?view=feed&q=${secret}`)).status).toBe(422);
    await get(`${name} in a path`, `${API}agents/${secret}.php`);
    await get(`${name} as an identifier`, `${API}jobs/show.php`, { ...bearer(secret), "X-Request-Id": secret });
    await post(`${name} in an unknown field`, COMMUNITY, { json: { action: "heartbeat", secret } });
    await post(`${name} as a public_id`, COMMUNITY, { json: { action: "profile", public_id: secret } });
    await post(`${name} as an action`, COMMUNITY, { json: { action: secret } });
    await post(`${name} in broken JSON`, COMMUNITY, { text: `{"action": "${secret}` });
    await post(`${name} in a body that is too long`, COMMUNITY, {
      json: { action: "post", body: secret.repeat(6_000) },
    });
    await post(`${name} in a form`, COMMUNITY, { form: { community_key: secret } });
    await post(`${name} as another's bearer`, `${API}jobs/claim.php`, { json: { public_id }, headers: bearer(secret) });
  }
  expect((await get("old key", `${COMMUNITY}?view=me`, bearer(key))).status).toBe(401);
  await post("claim again", COMMUNITY, { json: { action: "claim", claim_token, ...CONSENT }, headers: owner.headers });
  const noCsrf = { ...owner.headers, "X-CSRF-Token": owner.person.password };
  await post("password for a CSRF token", COMMUNITY, { json: { action: "rotate_key", public_id }, headers: noCsrf });
  await get("session as a bearer", `${COMMUNITY}?view=me`, bearer(owner.session));
  await get("session that is cut", `${COMMUNITY}?view=session`, {
    Cookie: `next-auth.session-token=${owner.session.slice(0, -2)}`,
  });
  await post("change of the password", `${API}owners/password.php`, {
    json: { current_password: `not ${owner.person.password}`, new_password: plant("new password", random()) },
    headers: owner.headers,
  });
  await signIn("wrong: sign in as nobody", `nobody-${random()}@example.com`, owner.person.password);
  for (const path of ["payments/webhook.php", "payments/webhook_connect.php"]) {
    await post(path, `${API}${path}`, { text: "{}", headers: { "Stripe-Signature": `t=1,v1=${random()}` } });
  }
}

/** Every kind of page and document, as a visitor and as the owner. */
async function readEverything(owner: Owner, ids: { agent: string; thread: string; task: string }): Promise<void> {
  const { agent, thread, task } = ids;
  const open = ["/", `/threads/${thread}`, "/agents", `/agents/${agent}`, "/network", "/network/map.json", "/tasks"];
  const more = [`/tasks/${task}`, "/offers", "/about", "/docs", "/claim", "/sign-in", "/sign-up", "/nothing-here"];
  const files = [
    "/feeds/all.atom",
    "/feeds/all.json",
    "/sitemap.xml",
    "/robots.txt",
    `${API}openapi.json`,
    `${API}status.php`,
  ];
  const views = ["feed", "profiles", "network", `profile&public_id=${agent}`].map(
    (view) => `${COMMUNITY}?view=${view}`,
  );
  const own = ["/workspace", "/workspace/new", "/workspace/post", "/workspace/account", "/admin"];
  const ofAgent = ["", "/profile", "/posts", "/service"].map((page) => `/workspace/agents/${agent}${page}`);
  for (const path of [...open, ...more, ...files, ...views, ...own, ...ofAgent]) {
    const visitor = await exposure.send(`page ${path}`, "GET", path);
    const { Cookie } = owner.headers;
    const signedIn = await exposure.send(`page ${path} of the owner`, "GET", path, { headers: { Cookie } });
    for (const { status } of [visitor, signedIn]) expect(status, path).toBeLessThan(500);
  }
}

test("a secret is shown once, to whom it belongs, and stands nowhere else: no answer, no page, no log, no table", async () => {
  const owner = await signUp();
  const agent = await liveInCommunity(owner);
  const { token, task, public_id } = await work();
  await failures(owner, agent, token);
  await readEverything(owner, { agent: agent.public_id, thread: agent.thread_id, task });
  for (const [name, secret] of Object.entries(KEPT)) plant(name, secret);

  // What is planted on purpose is found: in an answer, a page, a table and the log.
  const mark = `canary-${random()}`;
  await act("mark", { action: "post", title: "Mark", body: mark }, bearer(agent.newKey));
  await exposure.send("page with the mark", "GET", "/");
  await exposure.send("mark in a path", "GET", `${API}${mark}`);
  await exposure.dump();
  // The log comes through a pipe, a moment later than the answer.
  await expect
    .poll(() => exposure.placesOf(mark).sort())
    .toEqual(["log", "mark", "page with the mark", "table public.posts"]);
  for (const id of [agent.public_id, public_id]) expect(exposure.placesOf(id)).toContain("table public.profiles");

  const found = [...shown].map(([secret, { name }]) => [name, exposure.placesOf(secret).sort()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries([...shown.values()].map(({ name, at }) => [name, at])));
  const { answers, tables, logLines } = exposure.extent;
  expect(answers).toBeGreaterThan(100);
  expect(tables).toBeGreaterThan(20);
  expect(logLines).toBeGreaterThan(100);
});

import { expect } from "playwright/test";
import { CONSENTED } from "#testing/requests.ts";
import { API, bearer, type Canaries, COMMUNITY, type Fields, random } from "./canaries.ts";

// Flows in which the service hands out secrets, each planted as a canary.

/** An owner who mistypes the password once, and is signed in. */
export async function signUp(canaries: Canaries, which = "") {
  const person = { name: "Canary Keeper", email: `keeper-${random()}@example.com`, password: random() };
  canaries.plant(`${which}password`, person.password);
  await canaries.send(`${which}sign up`, "POST", `${API}owners/register.php`, {
    json: person,
    headers: { Origin: canaries.origin },
  });
  expect(
    await canaries.signIn(
      `${which}sign in wrongly`,
      person.email,
      canaries.plant(`${which}mistyped password`, random()),
    ),
  ).toBeUndefined();
  const session = canaries.plant(
    `${which}session cookie`,
    await canaries.signIn(`${which}sign in`, person.email, person.password),
    `${which}sign in`,
  );
  const cookie = { Cookie: `next-auth.session-token=${session}` };
  const seen = await canaries.send(`${which}session`, "GET", `${COMMUNITY}?view=session`, { headers: cookie });
  const csrf = canaries.plant(`${which}CSRF token`, seen.json<{ csrf_token?: string }>().csrf_token, `${which}session`);
  return { person, session, headers: { ...cookie, Origin: canaries.origin, "X-CSRF-Token": csrf } };
}

export type Owner = Awaited<ReturnType<typeof signUp>>;

/** An agent that registers, is claimed, posts, and rotates its key. */
export async function liveInCommunity(canaries: Canaries, owner: Owner) {
  const registered = await canaries.act("register", { action: "register", name: "Canary", ...CONSENTED });
  const key = canaries.plant("community key", registered.community_key, "register");
  const claim_token = canaries.plant("claim token", registered.claim_token, "register");
  const link = new URL(String(registered.claim_url));
  expect([link.hash, link.search, link.pathname]).toEqual([`#${claim_token}`, "", "/claim"]);
  const public_id = String(registered.public_id);
  await canaries.act("preview", { action: "claim_preview", claim_token });
  await canaries.act("claim", { action: "claim", claim_token, ...CONSENTED }, owner.headers);
  const { post } = (await canaries.act(
    "post",
    { action: "post", title: "Hello", body: "Of canaries." },
    bearer(key),
  )) as {
    post: { post_id: string; thread_id: string };
  };
  await canaries.act("key in the body", { action: "heartbeat", community_key: key });
  await canaries.act("profile", { action: "profile", bio: "Sings." }, bearer(key));
  await canaries.act("report", { action: "report", post_id: post.post_id, reason: "Too loud." }, owner.headers);
  const rotated = await canaries.act("rotate", { action: "rotate_key", public_id }, owner.headers);
  const newKey = canaries.plant("rotated key", rotated.community_key, "rotate");
  for (const view of ["me", "activity"])
    await canaries.send(view, "GET", `${COMMUNITY}?view=${view}`, { headers: bearer(newKey) });
  const service = await canaries.act(
    "set up service",
    { action: "setup_service", public_id, homepage_url: "https://canary.example/" },
    owner.headers,
  );
  canaries.plant("management token of a profile", service.management_token, "set up service");
  const own = await canaries.act(
    "join as owner",
    { action: "join", name: "Second canary", ...CONSENTED },
    owner.headers,
  );
  canaries.plant("key of the owner's profile", own.community_key, "join as owner");
  return { key, newKey, claim_token, public_id, ...post };
}

/** A service that registers, joins and works; its domain check fails, and so does the card processor. */
export async function work(canaries: Canaries) {
  const about = {
    description: "Works.",
    skills: ["singing"],
    endpoint: "https://canary.example/",
    operator_authorized: true,
  };
  const heard = await canaries.send("register a service", "POST", `${API}agents/register.php`, {
    json: { name: "Canary service", ...about },
  });
  const { public_id, management_token } = heard.json<{ public_id: string; management_token: string }>();
  const token = canaries.plant("management token", management_token, "register a service");
  const headers = bearer(token);
  const joined = await canaries.act("join by token", {
    action: "join",
    public_id,
    management_token: token,
    ...CONSENTED,
  });
  canaries.plant("key by joining", joined.community_key, "join by token");
  const say = (path: string, fields: Fields = {}) =>
    canaries.send(path, "POST", `${API}${path}`, { json: { public_id, ...fields }, headers });
  await say("agents/verify.php");
  await say("agents/heartbeat.php", { health_status: "available" });
  await say("payments/account.php", { contact_email: "operator@example.org" });
  const brief = { brief: "Sing.", budget_pence: 2_000, client_request_id: "one", payment_mode: "LIVE" };
  await say("jobs/create.php", brief);
  const made = await say("jobs/create.php", { ...brief, client_request_id: "two", payment_mode: "TEST" });
  await say("jobs/create.php", { ...brief, client_request_id: "two", budget_pence: 1 });
  for (const path of ["agents/me", "jobs/mine", "jobs/inbox", "settlements/mine"])
    await canaries.send(path, "GET", `${API}${path}.php?public_id=${public_id}`, { headers });
  return { token, public_id, task: made.json<{ task: { task_id: string } }>().task.task_id };
}

export type Life = Awaited<ReturnType<typeof liveInCommunity>>;

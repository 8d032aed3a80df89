import { expect } from "playwright/test";
import { CONSENTED } from "#testing/requests.ts";
import { API, bearer, type Canaries, COMMUNITY, random } from "./canaries.ts";
import type { Life, Owner } from "./canary-lives.ts";

/** Calls that send a secret in the wrong place, or one that is no longer valid. */
export async function failures(canaries: Canaries, owner: Owner, agent: Life, token: string): Promise<void> {
  const { key, newKey, claim_token, public_id } = agent;
  const post = (label: string, path: string, sent: Parameters<Canaries["send"]>[3]) =>
    canaries.send(`wrong: ${label}`, "POST", path, sent);
  const get = (label: string, path: string, headers = {}) => canaries.send(`wrong: ${label}`, "GET", path, { headers });
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
  await post("claim again", COMMUNITY, {
    json: { action: "claim", claim_token, ...CONSENTED },
    headers: owner.headers,
  });
  const noCsrf = { ...owner.headers, "X-CSRF-Token": owner.person.password };
  await post("password for a CSRF token", COMMUNITY, { json: { action: "rotate_key", public_id }, headers: noCsrf });
  await get("session as a bearer", `${COMMUNITY}?view=me`, bearer(owner.session));
  await get("session that is cut", `${COMMUNITY}?view=session`, {
    Cookie: `next-auth.session-token=${owner.session.slice(0, -2)}`,
  });
  await post("change of the password", `${API}owners/password.php`, {
    json: { current_password: `not ${owner.person.password}`, new_password: canaries.plant("new password", random()) },
    headers: owner.headers,
  });
  await canaries.signIn("wrong: sign in as nobody", `nobody-${random()}@example.com`, owner.person.password);
  for (const path of ["payments/webhook.php", "payments/webhook_connect.php"]) {
    await post(path, `${API}${path}`, { text: "{}", headers: { "Stripe-Signature": `t=1,v1=${random()}` } });
  }
}

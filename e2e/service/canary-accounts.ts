import { Secret, TOTP } from "otpauth";
import { expect } from "playwright/test";
import { Authenticator } from "#testing/authenticator.ts";
import { query } from "#testing/query.ts";
import { makeAdministrator } from "./administrator.ts";
import { API, bearer, type Canaries, cookiesOf } from "./canaries.ts";
import { type Owner, signUp } from "./canary-lives.ts";
import { runCommand } from "./command.ts";

// Flows in which accounts are protected, locked and recovered, with their secrets planted as canaries.

const SESSION = "next-auth.session-token";
const DEVICE = "guildhall.known-device";

/** An owner with both kinds of second factor, who signs in with a recovery code and reads all account pages. */
export async function guardAccount(canaries: Canaries): Promise<void> {
  const owner = await signUp(canaries, "guarded ");
  const call = callsOf(canaries, owner);
  const begun = (await call("totp_begin")).json<{ secret: string; uri: string }>();
  canaries.plant("authenticator secret", begun.secret, "owners/totp_begin");
  const confirmed = await call("totp_confirm", {
    code: new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate(),
  });
  const codes = confirmed.json<{ recovery_codes: string[] }>().recovery_codes;
  for (const [place, code] of codes.entries())
    canaries.plant(`recovery code ${place + 1}`, code, "owners/totp_confirm");
  expect(codes).toHaveLength(10);
  const { options } = (await call("passkey_options")).json<{ options: { challenge: string } }>();
  canaries.plant("challenge of a new passkey", options.challenge, "owners/passkey_options");
  const passkey = new Authenticator();
  const made = passkey.create(options, { origin: canaries.origin });
  expect((await call("passkey_add", { passkey: made, name: "Canary key" })).status).toBe(200);

  const first = canaries.plant(
    "cookie of the first step",
    await canaries.signIn("sign in with the first step", owner.person.email, owner.person.password),
    "sign in with the first step",
  );
  const page = await canaries.send("page of the second step", "GET", "/sign-in/second-step", {
    headers: { Cookie: `${SESSION}=${first}` },
  });
  const token = /csrfToken[\\":]+([\w-]{43})/.exec(page.text)?.[1];
  const awaiting = {
    Cookie: `${SESSION}=${first}`,
    Origin: canaries.origin,
    "X-CSRF-Token": canaries.plant("CSRF token of the first step", token, "page of the second step"),
  };
  const step = callsOf(canaries, { headers: awaiting });
  const asked = (await step("second_step_options")).json<{ options: { challenge: string } }>();
  canaries.plant("challenge of the second step", asked.options.challenge, "owners/second_step_options");
  expect((await step("second_step", { recovery_code: "00000-00000" }, "wrong: recovery code")).status).toBe(422);
  const done = cookiesOf(await step("second_step", { recovery_code: codes[0] }));
  const full = canaries.plant("session cookie after the second step", done.get(SESSION), "owners/second_step");
  canaries.plant("known device", done.get(DEVICE), "owners/second_step");

  const Cookie = [...done].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const path of ["/workspace/account", "/workspace/account/security", "/workspace/account/confirm", "/sign-in"])
    await canaries.send(`page ${path} of the guarded account`, "GET", path, { headers: { Cookie } });
  const exported = await canaries.send("owners/export", "GET", `${API}owners/export.php`, { headers: { Cookie } });
  const { sessions } = exported.json<{ sessions: { session_id: string }[] }>();
  expect(sessions.length).toBeGreaterThan(0);
  for (const [place, { session_id }] of sessions.entries())
    canaries.plant(
      `ID of the session ${session_id}`,
      session_id,
      "owners/export",
      "page /workspace/account of the guarded account",
      // The newest was asked for a passkey, and answered with a code instead.
      ...(place === 0 ? ["table public.owner_challenges"] : []),
      "table public.owner_sessions",
    );
  await canaries.send("owners/factors", "GET", `${API}owners/factors.php`, { headers: { Cookie } });
  expect(full).not.toBe(first);
}

/** Secrets that the administrator reissues: passwords, and the token of an identity that reported its own as leaked. */
export async function giveBack(canaries: Canaries, authSecret: string): Promise<void> {
  const { dataDir } = canaries;
  const root = await makeAdministrator(dataDir);
  canaries.plant("the administrator's password", root.password);
  const lost = await signUp(canaries, "lost ");
  const admin = async (...args: string[]) => {
    const { code, said } = await runCommand(["admin.ts", ...args, "--reason", "Canaries."], {
      DATA_DIR: dataDir,
      AUTH_SECRET: authSecret,
    });
    expect(code, said).toBe(0);
    return JSON.parse(said) as Record<string, string>;
  };
  const reset = await admin("reset-password", lost.person.email);
  canaries.plant("password that was reset", reset.password);
  expect(await canaries.signIn("sign in after the reset", lost.person.email, String(reset.password))).toBeTruthy();
  const promoted = await admin("promote", String(reset.owner_id));
  canaries.plant("password of a promoted administrator", promoted.password);

  const service = await canaries.send("register a service that leaks", "POST", `${API}agents/register.php`, {
    json: {
      name: "Leaking canary",
      description: "Leaks.",
      skills: ["singing"],
      endpoint: "https://leak.example/",
      operator_authorized: true,
    },
  });
  const { public_id, management_token } = service.json<{ public_id: string; management_token: string }>();
  const token = canaries.plant("management token that leaked", management_token, "register a service that leaks");
  await canaries.send("agents/report_leak", "POST", `${API}agents/report_leak.php`, {
    json: { secret: `Look: ${token}` },
  });
  const own = `${API}agents/me.php?public_id=${public_id}`;
  expect((await canaries.send("wrong: leaked token", "GET", own, { headers: bearer(token) })).status).toBe(403);
  // What the scheduled check would find if the domain served its proof.
  await query(
    root.databaseUrl,
    "UPDATE identities SET domain_status = 'verified', verified_at = now(), domain_checked_at = now() WHERE id = $1",
    [public_id],
  );
  const reissued = await admin("reissue", public_id);
  const fresh = canaries.plant("reissued management token", reissued.management_token);
  expect((await canaries.send("me by the new token", "GET", own, { headers: bearer(fresh) })).status).toBe(200);
  await admin("audit", public_id);
}

/** Calls of the endpoints for owners, each under its path. */
function callsOf(canaries: Canaries, { headers }: Pick<Owner, "headers">) {
  return (name: string, json: object = {}, label = `owners/${name}`) =>
    canaries.send(label, "POST", `${API}owners/${name}.php`, { json, headers });
}

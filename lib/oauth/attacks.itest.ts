import assert from "node:assert/strict";
import { test } from "node:test";
import { disableOwner, enableOwner } from "#lib/admin/accounts.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { readSecurityLog } from "#lib/owners/security-log.ts";
import { withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome } from "#testing/client.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { letConfirmationLapse } from "#testing/factors.ts";
import {
  agentAndOwner,
  ask,
  authorizeUrl,
  Browser,
  bearer,
  callTool,
  challengeOf,
  connected,
  consent,
  locationOf,
  obtainCode,
  type Program,
  post,
  redeem,
  redeemCode,
  refresh,
  registerProgram,
  type Tokens,
} from "#testing/oauth.ts";
import { signedInOwner } from "#testing/owner.ts";
import { servedService } from "#testing/served.ts";

// What an attacker tries against the authorization server. Each row is one attempt and what it comes to: `stays` (an error that leads
// nowhere), `back CODE` (an error that leads back to the registered address), a status and error code, or what a check answers.

servedService();

type Fields = Record<string, string | undefined>;
const form = { "Content-Type": "application/x-www-form-urlencoded" };

/** What a request to authorize comes to. */
async function asks(fields: Fields, edit: (url: string) => string = (url) => url, program?: Program): Promise<string> {
  const url = edit(authorizeUrl(program ?? (await registerProgram()), fields));
  const response = await fetch(url, { redirect: "manual" });
  const to = response.headers.get("Location");
  if (!to) return response.status >= 400 ? staysOn(response) : `${response.status}`;
  const { origin, search, hash, pathname } = new URL(to, env().baseUrl);
  // Errors of requests for tokens come in the fragment.
  const searchParams = new URLSearchParams(search || hash.slice(1));
  assert.ok([env().baseUrl, "http://127.0.0.1:7777"].includes(origin), `it leads to ${origin}`);
  assert.equal(searchParams.get("code"), null);
  return searchParams.has("error") ? `back ${searchParams.get("error")}` : pathname.replace(/\/connect\/.*/, "consent");
}

/** An error that leads nowhere is a page that a person can read: it runs nothing, and no word of the request becomes part of its code. */
async function staysOn(response: Response): Promise<string> {
  const page = await response.text();
  assert.match(response.headers.get("Content-Type") ?? "", /^text\/html/);
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  assert.match(page, /<h1>The program cannot be connected<\/h1>/);
  assert.doesNotMatch(page, /<(script|a|form|meta http-equiv|img|link)\b/i);
  return "stays";
}

async function answered(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  return `${response.status} ${body.error ?? "ok"}`;
}

/** What becomes of a code that its program would get. */
async function codeWith(use: (code: string, program: Program) => Promise<Response>): Promise<string> {
  const program = await registerProgram();
  const code = (await obtainCode(await agentAndOwner(), program)).get("code") ?? assert.fail();
  return answered(await use(code, program));
}

const me = ({ publicId }: TestAgent, token: string) =>
  call("GET", "/api/v1/agents/me.php", { token, query: { public_id: publicId } });

const registers = async (fields: object) => {
  const body = JSON.stringify({ client_name: "P", redirect_uris: ["https://p.example/cb"], ...fields });
  return answered(await post("/oauth/register", body, { "Content-Type": "application/json" }));
};

/** The owner allows what a browser asked for. @returns what the browser then gets */
async function allowedBy(owner: Parameters<typeof consent>[0], agent: TestAgent, asker: Browser): Promise<string> {
  const answer = await consent(owner, agent, await ask(asker, await registerProgram()));
  const back = await asker.get(answer.body.redirect_to);
  return locationOf(back).searchParams.has("code")
    ? "code"
    : locationOf(back).pathname.replace(/\/connect\/.*/, "consent");
}

async function consents(fields: Parameters<typeof consent>[3], prepare?: (request: string) => Promise<unknown>) {
  const { agent, owner } = await agentAndOwner();
  const request = await ask(new Browser(owner), await registerProgram(), { scope: "read order" });
  await prepare?.(request);
  return outcome(await consent(owner, agent, request, fields));
}

type Attacks = Record<string, [attempt: () => Promise<string>, comesTo: string]>;

/** Attempts of one kind, which all come to the same. */
const each = <Given>(
  comesTo: string,
  attempt: (given: Given) => Promise<string>,
  all: Record<string, Given>,
): Attacks => Object.fromEntries(Object.entries(all).map(([what, given]) => [what, [() => attempt(given), comesTo]]));

const ATTACKS: Attacks = {
  "an unknown client": [() => asks({ client_id: "cli_unknown" }), "stays"],
  ...each("stays", (redirect_uri: string | undefined) => asks({ redirect_uri }), {
    "another address to go back to": "https://evil.example/",
    "a longer path": "http://127.0.0.1:7777/callback/evil",
    "an added query": "http://127.0.0.1:7777/callback?to=evil",
    "an added fragment": "http://127.0.0.1:7777/callback#evil",
    "another name of this machine": "http://localhost:7777/callback",
    "an address behind user information": "http://127.0.0.1:7777@evil.example/callback",
    "a script as address": "javascript:alert(1)//http://127.0.0.1:7777/callback",
    "no address at all": undefined,
  }),
  "code in its own name": [() => asks({ client_id: "<script>alert(1)</script>", scope: "<a href=x>" }), "stays"],
  "code in the mode of the answer": [() => asks({ response_mode: "<img src=x>" }), "stays"],
  "two clients at once": [() => asks({}, (url) => `${url}&client_id=cli_other`), "stays"],
  "two addresses at once": [() => asks({}, (url) => `${url}&redirect_uri=https%3A%2F%2Fevil.example%2F`), "stays"],
  "no challenge": [() => asks({ code_challenge: undefined, code_challenge_method: undefined }), "back invalid_request"],
  "a plain challenge": [() => asks({ code_challenge_method: "plain" }), "back invalid_request"],
  "a challenge without its method": [() => asks({ code_challenge_method: undefined }), "back invalid_request"],
  "a short challenge": [() => asks({ code_challenge: "abc" }), "back invalid_request"],
  "no resource": [() => asks({ resource: undefined }), "back invalid_target"],
  "another service's resource": [() => asks({ resource: "https://evil.example/mcp" }), "back invalid_target"],
  "the resource of /mcp": [() => asks({ resource: `${env().baseUrl}/mcp` }), "back invalid_target"],
  "a token instead of a code": [() => asks({ response_type: "token" }), "back unsupported_response_type"],
  "an ID token as well": [() => asks({ response_type: "code id_token", nonce: "n" }), "back unsupported_response_type"],
  "a form instead of the query": [() => asks({ response_mode: "form_post" }), "stays"],
  "a request object": [() => asks({ request: "eyJhbGciOiJub25lIn0.e30." }), "back request_not_supported"],
  "a request object elsewhere": [
    () => asks({ request_uri: "https://evil.example/r" }),
    "back request_uri_not_supported",
  ],
  "no page": [() => asks({ prompt: "none" }), "back consent_required"],
  "the page in a POST": [
    async () =>
      `${(await post("/oauth/authorize", new URL(authorizeUrl(await registerProgram())).search.slice(1), form)).status}`,
    "404",
  ],

  "another person's consent for one's own request": [
    async () => {
      const victim = await agentAndOwner();
      return allowedBy(victim.owner, victim.agent, new Browser(await signedInOwner()));
    },
    "consent",
  ],
  "a consent for a browser that is not signed in": [
    async () => {
      const victim = await agentAndOwner();
      return allowedBy(victim.owner, victim.agent, new Browser());
    },
    "consent",
  ],
  "the way back in another browser": [
    async () => {
      const { agent, owner } = await agentAndOwner();
      const answer = await consent(owner, agent, await ask(new Browser(owner), await registerProgram()));
      const stolen = await new Browser(owner).get(answer.body.redirect_to);
      return stolen.headers.has("Location") ? "leads on" : staysOn(stolen);
    },
    "stays",
  ],
  "somebody else's agent": [
    async () => {
      const owner = await signedInOwner();
      const request = await ask(new Browser(owner), await registerProgram());
      return outcome(await consent(owner, await verifiedAgent(), request));
    },
    "404 not_found",
  ],
  ...each("422 invalid_input", (fields: Parameters<typeof consent>[3]) => consents(fields), {
    "more than the program asked for": { scopes: ["read", "pay"], max_price_pence: 1 },
    "nothing chosen": { scopes: [] },
    "to order without a highest amount": { scopes: ["order"] },
    "a consent for longer than a year": { expires_in_days: 366 },
  }),
  "to order without a recent confirmation": [
    async () => {
      const { agent, owner } = await agentAndOwner();
      const request = await ask(new Browser(owner), await registerProgram(), { scope: "order" });
      await letConfirmationLapse(owner);
      return outcome(await consent(owner, agent, request, { scopes: ["order"], max_price_pence: 1 }));
    },
    "403 forbidden",
  ],
  "a second consent for one request": [
    async () => {
      const { agent, owner } = await agentAndOwner();
      const request = await ask(new Browser(owner), await registerProgram());
      await consent(owner, agent, request);
      return outcome(await consent(owner, agent, request));
    },
    "404 not_found",
  ],
  "a consent from another site": [
    async () => {
      const { agent, owner } = await agentAndOwner();
      const request = await ask(new Browser(owner), await registerProgram());
      const headers = { Cookie: owner.cookie, Origin: "https://evil.example", "X-CSRF-Token": owner.csrfToken };
      const body = { request, decision: "allow", public_id: agent.publicId, scopes: ["read"] };
      return outcome(await call("POST", "/api/v1/owners/connect.php", { headers, body }));
    },
    "403 csrf_failed",
  ],
  "a request that has expired": [
    () => consents({}, () => pool().query("UPDATE oauth_records SET expires_at = now()")),
    "404 not_found",
  ],

  "a code without its verifier": [
    () => codeWith((code, program) => redeemCode(program, code, { code_verifier: challengeOf("other") })),
    "400 invalid_grant",
  ],
  "another program's code": [
    () => codeWith(async (code, { verifier }) => redeemCode({ ...(await registerProgram()), verifier }, code)),
    "400 invalid_grant",
  ],
  "a code for another address": [
    () => codeWith((code, program) => redeemCode({ ...program, redirectUri: "http://127.0.0.1:7778/callback" }, code)),
    "400 invalid_grant",
  ],
  "a code for another resource": [
    () => codeWith((code, program) => redeemCode(program, code, { resource: `${env().baseUrl}/api/v1` })),
    "400 invalid_target",
  ],
  "an old code": [
    () =>
      codeWith(async (code, program) => {
        await pool().query("UPDATE oauth_records SET expires_at = now() WHERE model = 'AuthorizationCode'");
        return redeemCode(program, code);
      }),
    "400 invalid_grant",
  ],
  "a code twice": [
    () =>
      codeWith(async (code, program) => {
        await redeemCode(program, code);
        return redeemCode(program, code);
      }),
    "400 invalid_grant",
  ],
  "another program's refresh token": [
    async () => answered(await refresh(await registerProgram(), (await connected()).tokens.refresh_token)),
    "400 invalid_grant",
  ],
  "more by refreshing": [
    async () => {
      const { program, tokens } = await connected();
      return answered(await refresh(program, tokens.refresh_token, { scope: "read order" }));
    },
    "400 invalid_scope",
  ],
  "another resource by refreshing": [
    async () => {
      const { program, tokens } = await connected();
      return answered(await refresh(program, tokens.refresh_token, { resource: `${env().baseUrl}/api/v1` }));
    },
    "400 invalid_target",
  ],
  "a password": [
    async () =>
      answered(await redeem(await registerProgram(), { grant_type: "password", username: "a", password: "b" })),
    "400 unsupported_grant_type",
  ],
  "a program's own credentials": [
    async () => answered(await redeem(await registerProgram(), { grant_type: "client_credentials" })),
    "400 unsupported_grant_type",
  ],
  "an invented client secret": [
    async () =>
      answered(await redeem(await registerProgram(), { grant_type: "authorization_code", client_secret: "s" })),
    "400 invalid_request",
  ],

  "a token for /mcp/connect at the API": [
    async () => {
      const { agent, tokens } = await connected();
      return outcome(await me(agent, tokens.access_token));
    },
    "401 invalid_credential",
  ],
  "a token for /mcp/connect at /mcp": [
    async () => {
      const response = await callTool(bearer((await connected()).tokens.access_token), "/mcp");
      return /invalid_credential/.test(await response.text()) ? "refused" : "answered";
    },
    "refused",
  ],
  ...each("401", async (get: () => Promise<string>) => `${(await callTool(bearer(await get()))).status}`, {
    "a token for the API at /mcp/connect": async () =>
      (await connected({ resource: `${env().baseUrl}/api/v1` })).tokens.access_token,
    "a token made by hand at /mcp/connect": async () => (await withAccess(await verifiedAgent(), ["read"])).token,
    "a management token at /mcp/connect": async () => (await verifiedAgent()).token,
    "a refresh token as an access token": async () => (await connected()).tokens.refresh_token,
  }),
  "a token in the address": [
    async () =>
      `${(await callTool({}, `/mcp/connect?access_token=${(await connected()).tokens.access_token}`)).status}`,
    "401",
  ],
  "another program's revocation": [
    async () => {
      const { tokens } = await connected();
      const { clientId } = await registerProgram();
      const body = new URLSearchParams({ client_id: clientId, token: tokens.refresh_token });
      await post("/oauth/revoke", body.toString(), form);
      return `${(await callTool(bearer(tokens.access_token))).status}`;
    },
    "200",
  ],

  ...each("400 invalid_redirect_uri", registers, {
    "registering a script as address": { redirect_uris: ["javascript:alert(1)"] },
    "registering an address in the clear": { redirect_uris: ["http://p.example/cb"] },
    "registering an address with user information": { redirect_uris: ["https://bank.example@evil.example/"] },
    "registering a hundred addresses": {
      redirect_uris: Array.from({ length: 100 }, (_, n) => `https://p.example/${n}`),
    },
  }),
  ...each("400 invalid_client_metadata", registers, {
    "registering a name of two lines": { client_name: "Bank\nof England" },
    "registering with a secret": { token_endpoint_auth_method: "client_secret_basic" },
    "registering 100 KiB": { client_uri: "x".repeat(100_000) },
  }),

  "a document on this machine": [() => asks({ client_id: "https://127.0.0.1/client.json" }), "stays"],
  "a document on another port": [() => asks({ client_id: "https://client.example:8443/client.json" }), "stays"],
};

for (const [what, [attempt, comesTo]] of Object.entries(ATTACKS))
  test(`an attacker gets nothing by ${what}`, async () => assert.equal(await attempt(), comesTo));

test("a free port of a loopback address is accepted, as RFC 8252 wants it", async () => {
  const program = await registerProgram();
  assert.equal(
    (await fetch(authorizeUrl(program, { redirect_uri: "http://127.0.0.1:50123/callback" }), { redirect: "manual" }))
      .status,
    303,
  );
});

test("a made-up host or protocol changes no address of the server", async () => {
  const headers = { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "ftp", Host: "evil.example" };
  const response = await fetch(authorizeUrl(await registerProgram()), { headers, redirect: "manual" });
  assert.equal(locationOf(response).origin, env().baseUrl);
  for (const line of response.headers.getSetCookie()) assert.doesNotMatch(line, /evil/);
});

test("an old refresh token that is used again ends the whole connection and tells the owner", async () => {
  const { program, tokens, owner } = await connected();
  const next = (await (await refresh(program, tokens.refresh_token)).json()) as Tokens;
  assert.equal((await callTool(bearer(next.access_token))).status, 200);
  assert.equal(await answered(await refresh(program, tokens.refresh_token)), "400 invalid_grant");
  for (const token of [tokens.access_token, next.access_token])
    assert.equal((await callTool(bearer(token))).status, 401);
  assert.equal(await answered(await refresh(program, next.refresh_token)), "400 invalid_grant");
  const { entries } = await readSecurityLog(owner.ownerId, { limit: 1 });
  assert.equal(entries[0]?.action, "connection_reuse");
});

test("a disabled account's connected programs end at once, and do not come back when it is enabled", async () => {
  const { program, tokens, owner } = await connected();
  const about = { owner: owner.ownerId, reason };
  await disableOwner(admin, about);
  assert.equal((await callTool(bearer(tokens.access_token))).status, 401);
  await enableOwner(admin, about);
  assert.equal((await callTool(bearer(tokens.access_token))).status, 401);
  assert.equal(await answered(await refresh(program, tokens.refresh_token)), "400 invalid_grant");
});

test("of simultaneous uses of one code or refresh token at most one gets tokens, and the connection ends", async () => {
  const { program, tokens } = await connected();
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(program, tokens.refresh_token)));
  const won = answers.filter(({ status }) => status === 200);
  assert.ok(won.length <= 1);
  for (const response of won) {
    const { access_token } = (await response.json()) as Tokens;
    assert.equal((await callTool(bearer(access_token))).status, 401);
  }
  assert.equal(await prisma().oauthConnection.count({ where: { clientId: program.clientId } }), 0);
});

test("a call that lacks a scope is 403 with the scope, and the program can ask for it", async () => {
  const { tokens, agent, owner, program } = await connected();
  const refused = await callTool(bearer(tokens.access_token), "/mcp/connect", "agents_heartbeat");
  assert.equal(refused.status, 403);
  const metadata = `resource_metadata="${env().baseUrl}/.well-known/oauth-protected-resource/mcp/connect"`;
  const challengeIn = ({ headers }: Response) => headers.get("WWW-Authenticate");
  assert.equal(challengeIn(refused), `Bearer ${metadata}, error="insufficient_scope", scope="report"`);
  assert.equal(challengeIn(await callTool({})), `Bearer ${metadata}, scope="read"`);
  const code = (await obtainCode({ agent, owner }, program, { scopes: ["read", "report"] })).get("code") ?? "";
  const more = (await (await redeemCode(program, code)).json()) as Tokens;
  assert.equal(more.scope, "read report");
});

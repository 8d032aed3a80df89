import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { configure } from "#testing/configuration.ts";
import {
  agentAndOwner,
  ask,
  Browser,
  bearer,
  callTool,
  connected,
  locationOf,
  obtainCode,
  post,
  redeemCode,
  refresh,
  registerProgram,
  type Tokens,
} from "#testing/oauth.ts";
import { browserHeaders } from "#testing/owner.ts";
import { request, startApiProcess } from "#testing/processes/processes.ts";
import { servedService } from "#testing/served.ts";
import { forgetOauth } from "./forget.ts";

servedService();

test("a program gets a code, tokens and an answer as the agent, and refreshes", async () => {
  const { agent, program, tokens } = await connected();
  assert.match(tokens.access_token, /^gha_/);
  const me = await callTool(bearer(tokens.access_token));
  const answered = await me.text();
  assert.equal(me.status, 200, answered);
  assert.ok(answered.includes(agent.publicId));
  const next = await refresh(program, tokens.refresh_token);
  const body = (await next.json()) as Tokens;
  assert.equal(next.status, 200, JSON.stringify(body));
  assert.notEqual(body.refresh_token, tokens.refresh_token);
  const again = await refresh(program, tokens.refresh_token);
  assert.equal(again.status, 400);
  assert.equal((await callTool(bearer(body.access_token))).status, 401);
});

test("refusing leads back to the program with access_denied", async () => {
  const parties = await agentAndOwner();
  const back = await obtainCode(parties, await registerProgram(), { decision: "refuse" });
  assert.deepEqual([back.get("error"), back.get("state"), back.get("iss")], ["access_denied", "st", env().baseUrl]);
});

test("a program may register without a name, and what it does is listed under words that say so", async () => {
  const parties = await agentAndOwner();
  const program = await registerProgram({ client_name: undefined });
  const code = (await obtainCode(parties, program)).get("code") ?? "";
  assert.equal((await redeemCode(program, code)).status, 200);
  const { rows } = await pool().query("SELECT client_name FROM oauth_connections WHERE client_id = $1", [
    program.clientId,
  ]);
  assert.deepEqual(rows, [{ client_name: "A program without a name" }]);
});

test("one address registers 20 programs an hour, and unused ones are deleted after 30 days", async () => {
  await configure({ RATE_LIMIT_SCALE: "1", BASE_URL: env().baseUrl });
  const register = () =>
    post("/oauth/register", JSON.stringify({ client_name: "P", redirect_uris: ["https://p.example/cb"] }));
  for (let n = 0; n < 20; n += 1) assert.equal((await register()).status, 201);
  const refused = await register();
  assert.deepEqual([refused.status, refused.headers.has("Retry-After")], [429, true]);
  await configure({ RATE_LIMIT_SCALE: "0", BASE_URL: env().baseUrl });
  const { program } = await connected();
  await pool().query("UPDATE oauth_clients SET created_at = now() - interval '31 days'");
  await forgetOauth({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_x" });
  const left = await prisma().oauthClient.findMany();
  assert.ok(left.every(({ lastUsedAt }) => lastUsedAt !== null));
  assert.ok(left.some(({ id }) => id === program.clientId));
});

test("no secret of the flow is stored as it is, or left in an answer that could be kept", async () => {
  const { code, tokens } = await connected({ scopes: ["read", "work"] });
  const { rows } = await pool().query(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of rows) {
    const { rows: found } = await pool().query(
      `SELECT count(*)::int AS count FROM "${name}" AS t WHERE t::text LIKE ANY ($1)`,
      [[code, tokens.access_token, tokens.refresh_token].map((secret) => `%${secret}%`)],
    );
    assert.equal(found[0].count, 0, name);
  }
});

test("no line of the log holds a secret of the flow, whatever is logged and however it ends", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { baseUrl } = env();
  const variables = { BASE_URL: url, API_SERVER_PORT: new URL(url).port, LOG_LEVEL: "trace", RATE_LIMIT_SCALE: "0" };
  const api = await startApiProcess(variables);
  await configure({ BASE_URL: url });
  const { agent, owner } = await agentAndOwner();
  const program = await registerProgram();
  const browser = new Browser(owner);
  const given = {
    request: await ask(browser, program),
    decision: "allow",
    public_id: agent.publicId,
    scopes: ["read"],
  };
  const allowed = await request(url, "POST", "owners/connect.php", { fields: given, headers: browserHeaders(owner) });
  assert.equal(allowed.status, 200, JSON.stringify(allowed.body));
  const back = locationOf(await browser.get(String(allowed.body.redirect_to)));
  const code = back.searchParams.get("code") ?? assert.fail(back.href);
  const tokens = (await (await redeemCode(program, code)).json()) as Tokens;
  assert.equal((await callTool(bearer(tokens.access_token))).status, 200);
  const next = (await (await refresh(program, tokens.refresh_token)).json()) as Tokens;
  // What fails is logged most.
  await fetch(`${url}/mcp/connect?access_token=${next.access_token}&code=${code}`, { method: "POST" });
  await fetch(`${url}/oauth/token?refresh_token=${next.refresh_token}`, { method: "POST", body: next.refresh_token });
  await redeemCode(program, code);
  await refresh(program, tokens.refresh_token);
  await configure({ BASE_URL: baseUrl });
  await api.stop();
  const lines = api.output();
  assert.ok(lines.split("\n").filter((line) => line.includes("/oauth/token")).length >= 4, lines);
  const { csrfToken, cookie } = owner;
  const secrets = {
    ...tokens,
    ...Object.fromEntries(Object.entries(next).map(([name, value]) => [`next ${name}`, value])),
  };
  const all = {
    code,
    verifier: program.verifier,
    csrfToken,
    session: cookie.split("=")[1] ?? "",
    token: agent.token,
    ...secrets,
  };
  for (const [name, secret] of Object.entries(all))
    if (String(secret).length > 20) assert.ok(!lines.includes(String(secret)), name);
});

test("where the service is reached in the clear, there is no authorization server", async () => {
  const { baseUrl } = env();
  await configure({ BASE_URL: "http://hall.example" });
  for (const path of ["/oauth/authorize", "/.well-known/oauth-authorization-server", "/mcp/connect"])
    assert.equal((await fetch(`${baseUrl}${path}`, { redirect: "manual" })).status, 404, path);
  await configure({ BASE_URL: baseUrl });
});

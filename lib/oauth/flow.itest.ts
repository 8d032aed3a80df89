import assert from "node:assert/strict";
import { test } from "node:test";
import { env } from "#lib/kernel/env.ts";
import {
  connected,
  obtainCode,
  ownedAgent,
  redeemCode,
  refresh,
  registerProgram,
  type Tokens,
} from "#testing/oauth.ts";
import { servedService } from "#testing/served.ts";

servedService();

const rpc = (token: string, method: string, params: object = {}) =>
  fetch(`${env().baseUrl}/mcp/connect`, {
    method: "POST",
    headers: {
      ...{ Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });

test("a program gets a code, tokens and an answer as the agent, and refreshes", async () => {
  const { agent, program, tokens } = await connected();
  assert.match(tokens.access_token, /^gha_/);
  const me = await rpc(tokens.access_token, "tools/call", { name: "agents_me", arguments: {} });
  const answered = await me.text();
  assert.equal(me.status, 200, answered);
  assert.ok(answered.includes(agent.publicId));
  const next = await refresh(program, tokens.refresh_token);
  const body = (await next.json()) as Tokens;
  assert.equal(next.status, 200, JSON.stringify(body));
  assert.notEqual(body.refresh_token, tokens.refresh_token);
  const again = await refresh(program, tokens.refresh_token);
  assert.equal(again.status, 400);
  assert.equal((await rpc(body.access_token, "tools/list")).status, 401);
});

test("refusing leads back to the program with access_denied", async () => {
  const parties = await ownedAgent();
  const back = await obtainCode(parties, await registerProgram(), { decision: "refuse" });
  assert.deepEqual([back.get("error"), back.get("state"), back.get("iss")], ["access_denied", "st", env().baseUrl]);
});

test("codes", async () => {
  const parties = await ownedAgent();
  const program = await registerProgram();
  const code = (await obtainCode(parties, program, { scopes: ["read", "order"] })).get("code") ?? "";
  const first = await redeemCode(program, code);
  assert.equal(first.status, 200);
  assert.equal((await redeemCode(program, code)).status, 400);
});

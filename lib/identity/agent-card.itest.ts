import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { afterEach, test } from "node:test";
import type { z } from "zod";
import type { Context } from "#lib/kernel/context.ts";
import { call, provingProber, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent } from "#testing/factories.ts";
import { replaceProber } from "./domain/probing.ts";
import { recheckDomain } from "./domain/verify-domain.ts";
import type { AgentAnswer } from "./schema.ts";

testService();
afterEach(() => replaceProber(provingProber));

const CARD = {
  name: "Translator",
  description: "Translates texts.",
  version: "2.1.0",
  supportedInterfaces: [{ url: "https://a.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "t", name: "Translate", description: "Translates.", tags: [] }],
};

/** Every domain proves itself and serves this card; undefined for none. */
function serve(card: string | undefined, proves = true): string[] {
  const asked: string[] = [];
  replaceProber({
    probe: async () => (proves ? { ok: true } : { ok: false, reason: "mismatch", detail: "No proof." }),
    read: async ({ url }) => {
      asked.push(url);
      return card === undefined
        ? { ok: false, reason: "status", detail: "No card." }
        : { ok: true, body: Buffer.from(card), headers: {} };
    },
  });
  return asked;
}

const verify = (agent: TestAgent) => callAs(agent, "POST", "/api/v1/agents/verify.php");
const change = (agent: TestAgent, fields: object) => callAs(agent, "POST", "/api/v1/agents/profile.php", { ...fields });

async function shown(agent: TestAgent) {
  const query = { public_id: agent.publicId };
  const answer = await call<z.output<typeof AgentAnswer>>("GET", "/api/v1/agents/show.php", { query });
  succeeded(answer);
  return answer.body.agent.agent_card;
}

const digestOf = (text: string) => `sha256:${hash("sha256", text, "hex")}`;

test("a card is read only where the operator asks for it, with the domain check and its repetition", async () => {
  const agent = await registerAgent();
  const asked = serve(JSON.stringify(CARD));
  succeeded(await verify(agent));
  assert.deepEqual([asked, await shown(agent)], [[], null]);

  succeeded(await change(agent, { read_agent_card: true }));
  assert.equal(await shown(agent), null);
  succeeded(await verify(agent));
  assert.match(asked[0] ?? "", /^https:\/\/agent-\d+\.example\.com\/\.well-known\/agent-card\.json$/);
  const first = await shown(agent);
  assert.deepEqual([first?.digest, first?.valid, first?.changed_at], [digestOf(JSON.stringify(CARD)), true, null]);

  const changed = JSON.stringify({ ...CARD, version: "2.2.0" });
  serve(changed);
  const context: Context = {
    actor: { kind: "system", id: "worker" },
    clock: { now: () => new Date() },
    requestId: "r",
  };
  await recheckDomain(context, agent.publicId);
  const second = await shown(agent);
  assert.deepEqual([second?.digest, second?.changed_at], [digestOf(changed), second?.read_at]);

  // A card that cannot be found for a while has not changed; another one afterwards has.
  const days = (count: number) => ({ ...context, clock: { now: () => new Date(Date.now() + count * 86_400_000) } });
  serve(undefined);
  await recheckDomain(days(1), agent.publicId);
  const missing = await shown(agent);
  assert.deepEqual([missing?.digest, missing?.valid, missing?.changed_at], [second?.digest, false, second?.changed_at]);
  serve(changed);
  await recheckDomain(days(2), agent.publicId);
  assert.deepEqual([(await shown(agent))?.valid, (await shown(agent))?.changed_at], [true, second?.changed_at]);
  serve(undefined);
  await recheckDomain(days(3), agent.publicId);
  serve(JSON.stringify(CARD));
  await recheckDomain(days(4), agent.publicId);
  const back = await shown(agent);
  assert.deepEqual([back?.digest, back?.changed_at], [first?.digest, back?.read_at]);

  succeeded(await change(agent, { read_agent_card: false }));
  assert.equal(await shown(agent), null);
});

test("a card that is missing or malformed is a fact, and refuses nothing", async () => {
  const agent = await registerAgent();
  succeeded(await change(agent, { read_agent_card: true }));
  for (const [card, digest] of [
    [undefined, null],
    ["{", digestOf("{")],
    [JSON.stringify({ ...CARD, skills: undefined }), digestOf(JSON.stringify({ ...CARD, skills: undefined }))],
  ] as const) {
    serve(card);
    succeeded(await verify(agent));
    const facts = await shown(agent);
    assert.deepEqual([facts?.digest, facts?.valid], [digest, false]);
  }
});

test("without a proof of the domain nothing is kept of the card", async () => {
  const agent = await registerAgent();
  succeeded(await change(agent, { read_agent_card: true }));
  serve(JSON.stringify(CARD), false);
  assert.equal((await verify(agent)).status, 409);
  assert.equal(await shown(agent), null);
});

test("an identity that moves to another host takes nothing of the card along", async () => {
  const agent = await registerAgent();
  succeeded(await change(agent, { read_agent_card: true }));
  succeeded(
    await change(agent, { endpoint: `https://moved-${agent.publicId.slice(4, 10).toLowerCase()}.example.com/run` }),
  );
  assert.equal(await shown(agent), null);
  serve(JSON.stringify(CARD));
  succeeded(await verify(agent));
  assert.equal((await shown(agent))?.valid, true);
});

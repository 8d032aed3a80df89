import assert from "node:assert/strict";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import type * as schema from "#lib/identity/schema.ts";
import { type Answer, call } from "./client.ts";
import { registration } from "./requests.ts";

export type TestAgent = {
  publicId: string;
  /** Management token. */
  token: string;
  verification: z.output<typeof schema.RegisterAnswer>["verification"] & { url: string };
};

export type TestOffer = z.output<typeof schema.Offer>;

/** An identity whose domain is not verified. */
export async function registerAgent(overrides: object = {}): Promise<TestAgent> {
  const body = registration(overrides);
  const answer = await call<z.output<typeof schema.RegisterAnswer>>("POST", "/api/v1/agents/register.php", { body });
  succeeded(answer, 201);
  return {
    publicId: answer.body.public_id,
    token: answer.body.management_token,
    verification: answer.body.verification as TestAgent["verification"],
  };
}

/** An identity whose domain is verified, as long as the prober in use says so. */
export async function verifiedAgent(overrides: object = {}): Promise<TestAgent> {
  const agent = await registerAgent(overrides);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"), 200);
  return agent;
}

/** Leaves an identity's domain as checks would. */
export async function setDomainStatus({ publicId }: TestAgent, status: string): Promise<void> {
  await pool().query("UPDATE identities SET domain_status = $2::domain_status WHERE id = $1", [publicId, status]);
}

/** A verified identity with an enabled offer for its first skill, and a fresh report of `available`. */
export async function agentWithOffer(
  offer: Partial<TestOffer> = {},
  overrides: object = {},
): Promise<TestAgent & { offer: TestOffer }> {
  const agent = await verifiedAgent({ skills: [offer.skill ?? "translation"], ...overrides });
  succeeded(await reportHealth(agent, "available"), 200);
  return { ...agent, offer: await publishOffer(agent, offer) };
}

export async function publishOffer(agent: TestAgent, overrides: Partial<TestOffer> = {}): Promise<TestOffer> {
  const body = {
    skill: "translation",
    description: "Translates a text.",
    input: "A text in English.",
    output: "The text in German.",
    limits: "At most 2,000 words.",
    price_pence: 500,
    enabled: true,
    ...overrides,
  };
  const answer = await callAs<z.output<typeof schema.OfferAnswer>>(agent, "POST", "/api/v1/agents/offers.php", body);
  succeeded(answer, overrides.offer_id ? 200 : 201);
  return answer.body.offer;
}

export function reportHealth(agent: TestAgent, status: z.output<typeof schema.HeartbeatInput>["health_status"]) {
  return callAs(agent, "POST", "/api/v1/agents/heartbeat.php", { health_status: status });
}

/** A call with an identity's own credential; `fields` go into the query of a GET and into the body of a POST. */
export function callAs<Body = unknown>(
  agent: TestAgent,
  method: "GET" | "POST" | "PUT",
  path: string,
  fields: Record<string, unknown> = {},
): Promise<Answer<Body>> {
  const all = { public_id: agent.publicId, ...fields };
  const { token } = agent;
  return method === "GET"
    ? call(method, path, { token, query: all as Record<string, string> })
    : call(method, path, { token, body: all });
}

/** Fails the test with the refusal itself when a call that prepares it did not succeed. */
export function succeeded(answer: Answer<unknown>, status = 200): void {
  assert.equal(answer.status, status, answer.error ? `${answer.error.code}: ${answer.error.message}` : undefined);
}

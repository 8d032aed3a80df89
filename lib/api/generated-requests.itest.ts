import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { TASK_STATES } from "#lib/tasks/machine.ts";
import { Chance } from "#stripe-stand-in/random.ts";
import { testService } from "#testing/client.ts";
import { schemasOf } from "#testing/document.ts";
import { agentWithOffer, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { damaged, type FromPool, fields, HOSTILE, type Schema } from "#testing/generate.ts";
import { fc, SEED } from "#testing/seed.ts";
import { taskAt } from "#testing/workflow.ts";
import { ErrorBody } from "./error-body.ts";
import { handle } from "./handle.ts";
import { buildOpenApi } from "./openapi/openapi.ts";
import { ENDPOINTS } from "./registry.ts";

/** A fixed seed sends the same ones in every run: for a longer search set another TEST_SEED, and more of them. */
const REQUESTS = Number(process.env.GENERATED_REQUESTS ?? 1_500);
const AT_ONCE = 8;

let agents: TestAgent[];
const pools: Record<string, unknown[]> = {};
testService({}, async () => {
  agents = [await registerAgent(), await verifiedAgent(), await agentWithOffer(), await registerAgent()];
  const [requester, provider] = agents as [TestAgent, TestAgent];
  for (const state of TASK_STATES)
    for (const visibility of ["listed", "unlisted"])
      keep({ ...(await taskAt(state, { requester, provider }, { task: { visibility } })) });
});

const NAMES: Record<string, string> = {
  taskId: "task_id",
  task_id: "task_id",
  contractId: "contract_id",
  contract_id: "contract_id",
  termsHash: "terms_hash",
  terms_hash: "terms_hash",
  paymentId: "payment_id",
  payment_id: "payment_id",
  offer_id: "offer_id",
  next_cursor: "cursor",
};

const chance = new Chance(SEED);

/** Remembers what later requests may refer to. */
function keep(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > 4) return;
  for (const [name, entry] of Object.entries(value)) {
    const pool = NAMES[name];
    if (pool && typeof entry === "string") {
      pools[pool] ??= [];
      const known = pools[pool];
      if (known.length < 300) known.push(entry);
      else known[chance.between(0, known.length - 1)] = entry;
    } else keep(entry, depth + 1);
  }
}

type Generated = { endpoint: Endpoint; fields: Record<string, unknown>; who: number; how: string; noise: unknown };

const document = buildOpenApi(ENDPOINTS) as {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
        requestBody?: { content: { "application/json": { schema: Schema } } };
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
};

const resolve = (schema: Schema) => document.components.schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;

/** The inputs that the document describes for an endpoint. */
function inputOf({ method, path }: Endpoint): Schema {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (method === "POST") {
    const { oneOf, ...schema } = operation?.requestBody?.content["application/json"].schema ?? {};
    return oneOf ? { anyOf: oneOf.map(resolve) } : schema;
  }
  const parameters = (operation?.parameters ?? []).filter((parameter) => parameter.in === "query");
  return {
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

const HOW = [
  "plain",
  "plain",
  "plain",
  "plain",
  "plain",
  "plain",
  "plain",
  "no credential",
  "bad credential",
  "other credential",
  "raw",
  "media type",
  "method",
];
const generated: fc.Arbitrary<Generated> = fc.oneof(
  ...ENDPOINTS.map((endpoint) => {
    const schema = inputOf(endpoint);
    const { schemas } = document.components;
    const input = schema.anyOf
      ? fc.oneof(...schema.anyOf.map((member) => fields(member, schemas)))
      : fields(schema, schemas);
    return fc.record({
      endpoint: fc.constant(endpoint),
      fields: damaged(input),
      who: fc.nat(1_000),
      how: fc.constantFrom(...HOW),
      noise: fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 40 })),
    });
  }),
);

function fill(fields: Record<string, unknown>, agent: TestAgent): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const { $pool: pool, pick } = (value ?? {}) as FromPool;
      if (pool === undefined) return [name, value];
      if (pool === "public_id") return [name, agent.publicId];
      const known = pool === "provider_public_id" ? agents.map(({ publicId }) => publicId) : (pools[pool] ?? []);
      return [name, known[pick % Math.max(1, known.length)] ?? "none"];
    }),
  );
}

function toRequest({ endpoint, fields, who, how, noise }: Generated): Request {
  const agent = agents[who % agents.length] as TestAgent;
  const filled = fill(fields, agent);
  const url = new URL(endpoint.path, "http://localhost:3000");
  const headers = new Headers({ "Idempotency-Key": `k${who % 50}` });
  const token =
    { "bad credential": newSecret("ghm"), "other credential": agents[(who + 1) % agents.length]?.token }[how] ??
    agent.token;
  if (how !== "no credential") headers.set("Authorization", `Bearer ${token}`);
  const method = how === "method" ? ["GET", "POST", "PUT", "HEAD", "DELETE"][who % 5] : endpoint.method;
  const init: RequestInit = { method: method as string, headers };
  if (endpoint.method === "GET") {
    for (const [name, value] of Object.entries(filled))
      url.searchParams.set(name, typeof value === "object" ? JSON.stringify(value) : String(value).toWellFormed());
    if (how === "raw")
      url.search += `&${encodeURIComponent(String(noise).toWellFormed())}=%zz&${String(noise).slice(0, 100)}`;
  }
  if (method === "POST") {
    headers.set("Content-Type", how === "media type" ? "text/plain" : "application/json");
    init.body =
      how === "raw"
        ? Buffer.from(`${JSON.stringify(filled).slice(0, who)}${String(noise)}`, "utf16le")
        : JSON.stringify(filled);
  }
  return new Request(url, init);
}

const TELLTALE = /prisma|postgres|SQLSTATE|node_modules|\.ts\b|\bat \/|syntax error at|duplicate key/i;

test("every generated request gets an answer that the document declares", async (t) => {
  const { response } = schemasOf(document);
  const statuses = new Map<number, number>();
  const requests = fc.sample(generated, { numRuns: REQUESTS });

  async function check(one: Generated): Promise<void> {
    const request = toRequest(one);
    const described = `${request.method} ${request.url.slice(0, 300)} ${JSON.stringify(one).slice(0, 600)}`;
    const answer = await handle(request, { address: "192.0.2.1" });
    const text = await answer.text();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    assert.ok(answer.status < 500, `${answer.status} ${text.slice(0, 300)} for ${described}`);
    assert.match(answer.headers.get("X-Request-Id") ?? "", /^req_/);
    if (request.method === "HEAD" && answer.status < 400) return;
    const body: unknown = JSON.parse(text);
    if (answer.status >= 400) assert.doesNotMatch(ErrorBody.parse(body).error.message, TELLTALE);
    if (answer.status === 405 || request.method !== one.endpoint.method) return;
    const validate = response(one.endpoint, answer.status);
    assert.ok(
      validate?.(body),
      `${JSON.stringify(validate?.errors?.slice(0, 3))} in ${text.slice(0, 500)} for ${described}`,
    );
    if (answer.status < 300) keep(body);
  }

  const queue = requests.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of queue) await check(one);
    }),
  );
  t.diagnostic(
    [...statuses]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", "),
  );
  // Rarer answers depend on the seed, and on the order in which the requests are served.
  for (const status of [200, 401, 404, 422]) assert.ok(statuses.has(status), `no request was answered ${status}`);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { joined, type TestMember } from "#testing/community.ts";
import { configure } from "#testing/configuration.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { type Generation, type McpClient, mcpClient } from "#testing/mcp-clients.ts";
import { servedService } from "#testing/served.ts";

const http = servedService();

const GENERATIONS: Generation[] = ["2026-07-28", "2025-11-25"];

type Refusal = { ok: boolean; error: { code: string; message: string; retry_after_seconds?: number; final: boolean } };

async function using<Result>(
  generation: Generation,
  headers: Record<string, string>,
  work: (client: McpClient) => Promise<Result>,
): Promise<Result> {
  const client = await mcpClient(generation, http.url, headers);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const credentialsOf = (agent: TestAgent, member?: TestMember) => ({
  Authorization: `Bearer ${agent.token}`,
  "Guildhall-Public-Id": agent.publicId,
  ...(member ? { "Guildhall-Community-Key": member.key } : {}),
});

/** A call that has to succeed. */
async function did(client: McpClient, name: string, args: Record<string, unknown> = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: the answers of thirty tools, of which each line looks at one field
  const answer = await client.call<any>(name, args);
  assert.equal(answer.ok, true, `${name}: ${answer.error?.code}: ${answer.error?.message}`);
  return answer;
}

test("a whole workflow takes nothing but tools, in both generations of the protocol", async () => {
  for (const generation of GENERATIONS) {
    const [provider, requester] = [await registerAgent(), await verifiedAgent()];
    const member = await joined(requester);
    await using(generation, credentialsOf(provider), (p) =>
      using(generation, credentialsOf(requester, member), async (r) => {
        assert.equal((await did(p, "agents_me")).identity.public_id, provider.publicId);
        await did(p, "agents_verify");
        const { offer } = await did(p, "agents_offers_save", {
          skill: "translation",
          description: "Translates a text.",
          input: "A text in English.",
          output: "The text in German.",
          limits: "At most 2,000 words.",
          price_pence: 500,
          enabled: true,
        });
        assert.match(offer.offer_id, /^ofr_/);
        await did(p, "agents_heartbeat", { health_status: "available" });

        const { agents } = await did(r, "agents_directory", { skill: "translation", limit: 5 });
        assert.ok(agents.some(({ public_id }: { public_id: string }) => public_id === provider.publicId));
        assert.equal(
          (await did(r, "agents_show", { public_id: provider.publicId })).agent.public_id,
          provider.publicId,
        );
        assert.ok((await did(r, "agents_match", { skill: "translation", budget_pence: 500 })).matches.length > 0);
        const order = {
          brief: "Translate this.",
          budget_pence: 500,
          client_request_id: `order-${generation}`,
          provider_public_id: provider.publicId,
        };
        const { task } = await did(r, "jobs_create", order);
        const { task_id } = task;
        assert.equal((await did(r, "jobs_create", order)).task.task_id, task_id, "the same request ID, the same task");

        assert.equal((await did(p, "jobs_inbox")).tasks[0].task_id, task_id);
        await did(p, "jobs_claim", { task_id });
        const terms = { scope: "One text.", amount_pence: 500, acceptance_criteria: ["German"], data_terms: "None." };
        const first = (await did(r, "contracts_create", { task_id, ...terms })).contract;
        await did(p, "contracts_decline", { contract_id: first.contract_id, reason: "Which text?" });
        const { contract } = await did(r, "contracts_create", { task_id, ...terms });
        const { contract_id, terms_hash } = contract;
        for (const party of [r, p]) await did(party, "contracts_accept", { contract_id, terms_hash });
        assert.equal((await did(p, "contracts_show", { contract_id })).contract.state, "accepted");

        const pay = { contract_id, idempotency_key: "pay-1" };
        const { payment } = await did(r, "payments_intent", pay);
        assert.equal((await did(r, "payments_intent", pay)).payment.payment_id, payment.payment_id);
        await did(r, "payments_confirm", { payment_id: payment.payment_id, outcome: "succeed" });
        await did(p, "jobs_start", { task_id });
        await did(p, "jobs_message", { task_id, body: "Formal or not?" });
        assert.equal((await did(r, "jobs_messages", { task_id })).messages[0].body, "Formal or not?");
        await did(p, "jobs_submit", { task_id, result: "Ein Text." });
        await did(r, "jobs_request_changes", { task_id, reason: "Formal, please." });
        await did(p, "jobs_submit", { task_id, result: "Ein förmlicher Text." });
        assert.equal((await did(r, "jobs_show", { task_id, history: "1" })).task.result, "Ein förmlicher Text.");
        await did(r, "jobs_complete", { task_id });
        assert.equal((await did(p, "settlements_mine")).settlements[0].net_pence, 450);
        assert.ok((await did(r, "jobs_mine", { role: "requester", state: "completed" })).tasks.length === 1);
        await did(r, "jobs_list", { state: "completed", limit: 1 });

        const other = (await did(r, "jobs_create", { ...order, client_request_id: `other-${generation}` })).task;
        await did(p, "jobs_claim", { task_id: other.task_id });
        await did(r, "jobs_dispute", { task_id: other.task_id, reason: "By mistake." });
        const last = (await did(r, "jobs_create", { ...order, client_request_id: `last-${generation}` })).task;
        await did(r, "jobs_cancel", { task_id: last.task_id });

        const { post } = await did(r, "community_post", { title: "Done", body: "It works.", client_request_id: "p1" });
        assert.equal((await did(r, "community_feed", { id: post.post_id })).posts[0].body, "It works.");
        await did(r, "community_activity", { limit: 5 });

        await did(p, "events", { after: 0, types: "task.*", limit: 500 });
      }),
    );
  }
});

/** Clients and models know them by these names. */
const LISTED =
  "agents_me agents_show agents_directory agents_match agents_verify agents_offers_save agents_heartbeat jobs_create jobs_list jobs_inbox jobs_mine jobs_show jobs_claim jobs_release jobs_files jobs_quote jobs_quotes jobs_choose_quote jobs_start jobs_submit jobs_request_changes jobs_complete jobs_cancel jobs_dispute jobs_select jobs_dismiss jobs_leave jobs_give_up jobs_conclude jobs_message jobs_messages hire offers_order jobs_wait jobs_waiting jobs_evidence contracts_create contracts_show contracts_accept contracts_decline payments_intent payments_confirm settlements_mine events community_feed community_post community_activity";

test("the list is complete and in order, and each tool is strict, described and annotated", async () => {
  const [now, before] = await Promise.all(
    GENERATIONS.map((generation) => using(generation, {}, (client) => client.list())),
  );
  assert.deepEqual(
    now?.map(({ name }) => name),
    LISTED.split(" "),
  );
  assert.deepEqual(JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(now)));
  for (const { name, description, inputSchema, annotations } of now ?? []) {
    assert.equal(inputSchema.additionalProperties, false, name);
    assert.doesNotMatch(JSON.stringify(inputSchema), /\$ref|management_token|community_key|claim_token/, name);
    assert.doesNotMatch(description ?? "", /Idempotency-Key|event-stream|owner session/, name);
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
      assert.ok(schema.description, `${name}.${field} has no description`);
    const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
    for (const hint of hints) assert.equal(typeof annotations?.[hint], "boolean", `${name} ${hint}`);
    assert.equal("public_id" in (inputSchema.properties ?? {}), name === "agents_show", name);
  }
  const destructive = now?.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
  assert.deepEqual(destructive, ["jobs_cancel", "jobs_dispute", "contracts_decline"]);
});

test("a credential that is missing, wrong or another's is a result, never HTTP 401", async () => {
  const [agent, other] = [await registerAgent(), await registerAgent()];
  const refused: Record<string, string>[] = [
    {},
    { Authorization: `Bearer ${agent.token.slice(0, -1)}x` },
    { Authorization: `Bearer ${agent.token}`, "Guildhall-Public-Id": other.publicId },
    { Authorization: `Bearer ${agent.token}`, "Guildhall-Public-Id": "somebody" },
    { "Guildhall-Community-Key": agent.token },
    { Cookie: `authorization=${agent.token}` },
  ];
  for (const generation of GENERATIONS)
    for (const headers of refused)
      await using(generation, headers, async (client) => {
        const { ok, error } = await client.call<Refusal>("agents_me");
        assert.deepEqual([ok, error.code], [false, "invalid_credential"], JSON.stringify(headers));
        assert.equal((await client.call("jobs_list")).ok, true, "public tools work");
        assert.equal((await client.call<Refusal>("community_activity")).error.code, "invalid_credential");
      });
});

test("events are read with a token, or with a community key alone", async () => {
  const agent = await verifiedAgent();
  const { key } = await joined(agent);
  for (const headers of [credentialsOf(agent), { "Guildhall-Community-Key": key }])
    await using("2026-07-28", headers, (client) => did(client, "events", { after: 0 }));
  const other = await joined(await verifiedAgent());
  await using("2026-07-28", { ...credentialsOf(agent), "Guildhall-Community-Key": other.key }, async (client) => {
    await did(client, "agents_me");
    assert.equal(
      (await did(client, "community_post", { title: "T", body: "B" })).post.author.public_id,
      other.publicId,
    );
  });
});

test("arguments that a tool does not list are refused with their names, even where the endpoint has them", async () => {
  const agent = await verifiedAgent();
  await using("2026-07-28", credentialsOf(agent), async (client) => {
    for (const [name, args, path] of [
      ["jobs_list", { nonsense: 1 }, "nonsense"],
      ["agents_me", { public_id: agent.publicId }, "public_id"],
      ["community_feed", { view: "session" }, "view"],
      ["jobs_list", { limit: "many" }, "limit"],
      ["payments_intent", { contract_id: `con_${"1".repeat(22)}` }, "idempotency_key"],
      ["payments_intent", { idempotency_key: "a", client_request_id: "b" }, "client_request_id"],
    ] as const) {
      const { error } = await client.call<{ error: { code: string; field_errors: { path: string }[] } }>(name, args);
      assert.deepEqual([error.code, error.field_errors[0]?.path], ["invalid_input", path], name);
    }
    const { error } = await client.call<{ error: { field_errors: { path: string }[] } }>("payments_intent", {
      contractId: "con_x",
      surprise: 1,
    });
    assert.deepEqual(
      error.field_errors.map(({ path }) => path),
      ["contractId", "surprise", "idempotency_key", "contract_id"],
      "all that is wrong is said at once",
    );
    await assert.rejects(client.call("agents_register"), /Unknown tool/);
  });
});

test("remedies and available actions name tools, and HTTP calls only where no tool does it", async () => {
  const [stranger, requester] = [await registerAgent({ skills: [] }), await verifiedAgent()];
  await using("2026-07-28", credentialsOf(requester), (r) =>
    using("2026-07-28", credentialsOf(stranger), async (p) => {
      const order = {
        brief: "Translate this.",
        budget_pence: 500,
        skill: "translation",
        client_request_id: "remedies",
      };
      const { task } = await did(r, "jobs_create", order);
      const actions = task.available_actions.map(({ action, tool }: Record<string, string>) => [action, tool]);
      assert.deepEqual(actions, [
        ["prepare", undefined],
        ["cancel", "jobs_cancel"],
        ["select", "jobs_select"],
        ["clarify", undefined],
      ]);
      const [, cancel] = task.available_actions;
      assert.deepEqual([cancel.fields, cancel.values], [["task_id"], { task_id: task.task_id }]);
      const { readiness } = await did(p, "agents_me");
      // biome-ignore lint/suspicious/noExplicitAny: a refusal with its gates
      const { error } = await p.call<any>("jobs_claim", { task_id: task.task_id });
      const remedies = [...readiness, ...error.gates].flatMap(({ remedy }: { remedy: string | null }) => remedy ?? []);
      assert.ok(remedies.length >= 6, remedies.join("\n"));
      const named = remedies.join("\n");
      for (const tool of ["agents_verify", "agents_offers_save", "agents_heartbeat"]) assert.ok(named.includes(tool));
      assert.match(named, /the HTTP call POST \/api\/v1\/agents\/skills\.php/);
      assert.doesNotMatch(named.replaceAll(/the HTTP call POST \/api\/v1\/\S+/g, ""), /\.php/);
    }),
  );
});

test("the limits are those of HTTP, and say in the result how long to wait", async () => {
  const agent = await registerAgent();
  await configure({ BASE_URL: http.url, RATE_LIMIT_SCALE: "1" });
  try {
    await using("2025-11-25", credentialsOf(agent), async (client) => {
      const report = () => client.call<Refusal>("agents_heartbeat", { health_status: "busy" });
      for (let calls = 0; calls < 6; calls += 1) assert.equal((await report()).ok, true);
      const { error } = await report();
      assert.equal(error.code, "rate_limited");
      assert.ok((error.retry_after_seconds ?? 0) >= 1 && (error.retry_after_seconds ?? 0) <= 60);
    });
    await configure({ BASE_URL: http.url, RATE_LIMIT_SCALE: "0.01" });
    // The newer client would keep what it has read.
    await using("2025-11-25", {}, async (client) => {
      for (let calls = 0; calls < 3; calls += 1) await client.read("skill://guildhall/SKILL.md");
      await assert.rejects(client.read("skill://guildhall/SKILL.md"), /Too many calls/);
    });
  } finally {
    await configure({ BASE_URL: http.url });
  }
});

test("the card, and what the server says of itself, agree", async () => {
  const answer = await fetch(`${http.url}/mcp/server-card`);
  assert.equal(answer.headers.get("content-type"), "application/mcp-server-card+json");
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  const card = (await answer.json()) as { name: string; version: string; remotes: { url: string }[] };
  assert.deepEqual([card.name, card.remotes[0]?.url], ["localhost/guildhall", `${http.url}/mcp`]);
  const etag = answer.headers.get("etag") ?? "";
  assert.equal((await fetch(`${http.url}/mcp/server-card`, { headers: { "If-None-Match": etag } })).status, 304);
  for (const generation of GENERATIONS)
    await using(generation, {}, async ({ server }) => {
      assert.deepEqual([server?.name, server?.version], [card.name, card.version]);
    });
});

test("the OpenAPI document can be read as a resource", async () => {
  await using("2026-07-28", {}, async (client) => {
    const { uri } = (await client.resources()).find(({ mimeType }) => mimeType === "application/json") ?? { uri: "" };
    assert.deepEqual(JSON.parse(await client.read(uri)), await (await fetch(uri)).json());
    await assert.rejects(client.read("skill://other/SKILL.md"));
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { call, testService } from "#testing/client.ts";
import { callAs, registerAgent, reportHealth, succeeded, type TestAgent } from "#testing/factories.ts";
import { registration } from "#testing/requests.ts";
import { replaceProber } from "./domain/probing.ts";

testService({ RATE_LIMIT_SCALE: "1" });

type Call = () => Promise<{ status: number; headers: Headers }>;

async function assertLimit(name: string, calls: number, one: Call): Promise<void> {
  for (let i = 1; i <= calls; i++) {
    const { status, headers } = await one();
    assert.notEqual(status, 429, `call ${i}`);
    if (status < 400) assert.match(headers.get("RateLimit") ?? "", new RegExp(`^"${name}";r=${calls - i};t=\\d+$`));
  }
  const { status, headers } = await one();
  assert.equal(status, 429);
  assert.ok(Number(headers.get("Retry-After")) > 0);
}

test("an identity reports its health six times a minute, and others are not counted with it", async () => {
  const [agent, other] = [await registerAgent(), await registerAgent()];
  await assertLimit("heartbeat", 6, () => reportHealth(agent, "available"));
  succeeded(await reportHealth(other, "available"));
});

test("an identity has its domain checked ten times an hour, failures included", async () => {
  const verify = (agent: TestAgent) => callAs(agent, "POST", "/api/v1/agents/verify.php");
  const [agent, other] = [await registerAgent(), await registerAgent()];
  let probes = 0;
  replaceProber({
    probe: async () => {
      probes += 1;
      return { ok: false, reason: "dns", detail: "The name cannot be found." };
    },
  });
  await assertLimit("domain_check", 10, () => verify(agent));
  assert.equal(probes, 10);
  assert.equal((await verify(other)).status, 409);
});

test("an address registers sixty identities an hour", async () => {
  const register = (address: string) => call("POST", "/api/v1/agents/register.php", { body: registration(), address });
  await assertLimit("registration", 60, () => register("198.51.100.7"));
  succeeded(await register("198.51.100.8"), 201);
});

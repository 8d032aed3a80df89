import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent } from "#testing/factories.ts";
import { createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { createProber } from "./prober.ts";
import { replaceProber } from "./probing.ts";

const HOST = "agent.test";
const served = new Map<string, string>();
let server: ReturnType<typeof createServer>;

// A web server as an operator would run it, and the real client that looks at it.
testService({}, async () => {
  const authority = await createAuthority();
  const { certPem, keyPem } = await authority.issue([HOST]);
  server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const text = served.get(request.url ?? "");
    response.writeHead(text === undefined ? 404 : 200, { "Content-Type": "text/plain" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const devHosts = new Map([[HOST, { address: "127.0.0.1", port }]]);
  replaceProber(createProber({ resolve: async () => [], devHosts, ca: [authority.certPem] }));
  return () => server.close();
});

const verify = (agent: TestAgent) => callAs(agent, "POST", "/api/v1/agents/verify.php");
const register = () => registerAgent({ endpoint: `https://${HOST}/run` });
const path = (agent: TestAgent) => new URL(agent.verification.url).pathname;

test("an operator who serves the proof is verified, and the same host needs a proof for each identity", async () => {
  const [agent, neighbour] = [await register(), await register()];
  assert.equal((await verify(agent)).error?.reason, "status");
  served.set(path(agent), `${agent.verification.token}\n`);
  succeeded(await verify(agent));
  assert.equal((await verify(neighbour)).error?.reason, "status");
  served.set(path(neighbour), agent.verification.token);
  assert.equal((await verify(neighbour)).error?.reason, "mismatch");
});

test("the management token is not the proof", async () => {
  const agent = await register();
  served.set(path(agent), agent.token);
  const { error } = await verify(agent);
  assert.equal(error?.reason, "mismatch");
  assert.ok(!JSON.stringify(error).includes(agent.token));
});

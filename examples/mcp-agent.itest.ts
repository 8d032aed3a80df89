import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { until } from "#testing/examples/example-programs.ts";
import { verifiedAgent } from "#testing/factories.ts";
import { serveHttp } from "#testing/served.ts";
import { did, postTask, storedState, type Work } from "#testing/workflow.ts";

let http: Awaited<ReturnType<typeof serveHttp>>;
let agent: ChildProcess | undefined;
testService({}, async () => {
  http = await serveHttp();
  return async () => {
    if (agent?.exitCode === null) {
      agent.kill();
      await once(agent, "exit");
    }
    await http.close();
  };
});

test("the example agent takes a task from its inbox to a result through MCP alone", async () => {
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  const { task_id: taskId } = await postTask(requester, {
    brief: "One two three.",
    provider_public_id: provider.publicId,
  });
  const variables = { GUILDHALL_BASE_URL: http.url, GUILDHALL_TOKEN: provider.token };
  agent = spawn(process.execPath, [join(import.meta.dirname, "mcp-agent.ts")], {
    env: { ...process.env, ...variables, ACCEPT_FROM_PENCE: "0", POLL_SECONDS: "0.2" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const reached = (state: string) => until(state, async () => (await storedState(taskId)) === state || undefined);
  const work: Work = { requester, provider, taskId, amountPence: 0, contractId: "", termsHash: "", paymentId: "" };
  await reached("claimed");
  await did(requester, "propose", work);
  await did(requester, "accept", work);
  await reached("submitted");
  assert.equal((await did(requester, "complete", work)).task?.result, "3 words");
});

test("each client's configuration is valid and names the endpoint", () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, "mcp", name), "utf8");
  for (const name of ["claude-code.json", "cursor.json", "vscode.json", "gemini.json"]) {
    const { mcpServers, servers } = JSON.parse(read(name));
    const { url, httpUrl, headers } = (mcpServers ?? servers).guildhall;
    assert.match(url ?? httpUrl, /\/mcp$/, name);
    assert.match(headers.Authorization, /^Bearer \$/, name);
  }
  assert.match(read("codex.toml"), /^url = "http:\/\/localhost:3000\/mcp"$/m);
});

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "#lib/kernel/free-port.ts";
import { newFolder } from "#testing/folder.ts";
import { agentAndOwner, Browser, consent, locationOf, registerProgram } from "#testing/oauth.ts";
import { servedService } from "#testing/served.ts";

// The official suite, from the packages that are installed: it needs no network.
const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json")).replace(
  "package.json",
  "dist/index.js",
);
const REVISION = "2026-07-28";
const SCENARIOS = [
  "tools-list",
  "resources-list",
  "dns-rebinding-protection",
  "http-header-validation",
  "server-stateless",
  "caching",
];

const http = servedService();
const results = newFolder();

for (const scenario of SCENARIOS)
  test(`the server conforms to ${REVISION}: ${scenario}`, async () => {
    const baseline = join(import.meta.dirname, "conformance-baseline.yml");
    const options = [
      "--scenario",
      scenario,
      "--spec-version",
      REVISION,
      "--expected-failures",
      baseline,
      "-o",
      results,
    ];
    const run = promisify(execFile)(process.execPath, [SUITE, "server", "--url", `${http.url}/mcp`, ...options]);
    const { stdout } = await run.catch((failed: { stdout: string; stderr: string }) =>
      assert.fail(`${failed.stdout}\n${failed.stderr}`),
    );
    assert.match(stdout, /Passed: [1-9]/);
  });

test("the authorization server conforms: its metadata, and a whole authorization code grant", async () => {
  const { agent, owner } = await agentAndOwner();
  const port = await freePort();
  const program = await registerProgram({ redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const about = ["--client-id", program.clientId, "--resource", `${http.url}/mcp/connect`, "--port", `${port}`];
  const child = spawn(process.execPath, [SUITE, "authorization", "--url", http.url, ...about, "-o", results]);
  let output = "";
  let isAnswered = false;
  child.stdout.on("data", (chunk) => {
    output += chunk;
    const [asked] = /http\S+\/oauth\/authorize\?\S+(?=\n)/.exec(output) ?? [];
    if (!asked || isAnswered) return;
    isAnswered = true;
    void allowed(asked);
  });
  /** What the owner does in the browser. */
  async function allowed(url: string): Promise<void> {
    const browser = new Browser(owner);
    const request =
      locationOf(await browser.get(url))
        .pathname.split("/")
        .at(-1) ?? "";
    const { body } = await consent(owner, agent, request);
    const back = await browser.get(body.redirect_to);
    await fetch(locationOf(back));
  }
  const code = await new Promise((done) => child.once("close", done));
  assert.equal(code, 0, output);
  assert.match(output, /authorization-server-metadata-endpoint: [1-9]\d* passed, 0 failed/);
  assert.match(output, /authorization-code-grant: [1-9]\d* passed, 0 failed/);
});

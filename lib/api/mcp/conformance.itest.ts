import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "#lib/kernel/free-port.ts";
import { newFolder } from "#testing/folder.ts";
import { agentAndOwner, Browser, consent, locationOf, registerProgram } from "#testing/oauth.ts";
import { runProgram, startProgram } from "#testing/run-program.ts";
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
    const { code, output } = await runProgram(process.execPath, [
      SUITE,
      "server",
      "--url",
      `${http.url}/mcp`,
      "--scenario",
      scenario,
      "--spec-version",
      REVISION,
      "--expected-failures",
      baseline,
      "-o",
      results,
    ]);
    assert.equal(code, 0, output);
    assert.match(output, /Passed: [1-9]/);
  });

test("the authorization server conforms: its metadata, and a whole authorization code grant", async () => {
  const { agent, owner } = await agentAndOwner();
  const port = await freePort();
  const program = await registerProgram({ redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const about = ["--client-id", program.clientId, "--resource", `${http.url}/mcp/connect`, "--port", `${port}`];
  const args = [SUITE, "authorization", "--url", http.url, ...about, "-o", results];
  const { child, run, ended } = startProgram(process.execPath, args);
  let isAnswered = false;
  child.stdout.on("data", () => {
    const [asked] = /http\S+\/oauth\/authorize\?\S+(?=\n)/.exec(run.out) ?? [];
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
  const { code, output } = await ended;
  assert.equal(code, 0, output);
  assert.match(output, /authorization-server-metadata-endpoint: [1-9]\d* passed, 0 failed/);
  assert.match(output, /authorization-code-grant: [1-9]\d* passed, 0 failed/);
});

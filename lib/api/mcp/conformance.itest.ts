import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestService } from "#testing/client.ts";
import { serveHttp } from "#testing/served.ts";

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

let service: Awaited<ReturnType<typeof startTestService>>;
let http: Awaited<ReturnType<typeof serveHttp>>;
const results = mkdtempSync(join(tmpdir(), "conformance-"));
before(async () => {
  service = await startTestService();
  http = await serveHttp();
});
after(async () => {
  await http.close();
  await service.stop();
  rmSync(results, { recursive: true });
});

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

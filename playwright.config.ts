import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig } from "playwright/test";
import { systemBrowser } from "./lib/testing/browser.ts";
import { BROWSER_WORKERS } from "./lib/testing/runner/workers.ts";

const executablePath = systemBrowser();

const viewport = { width: 1280, height: 900 };

/**
 * The files whose tests come from this one, which starts a service for them. Playwright takes a project after the other: files that share
 * a service have to follow each other, or it is started again for each.
 */
function filesWith(fixtures: string): string[] {
  const uses = new RegExp(`import \\{[^}]*\\btest\\b[^}]*\\} from "\\./${fixtures}"`);
  return globSync("e2e/*.spec.ts", { cwd: import.meta.dirname })
    .filter((file) => uses.test(readFileSync(join(import.meta.dirname, file), "utf8")))
    .map((file) => basename(file));
}
const operators = filesWith("operator.ts");
const live = filesWith("live.ts");

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  workers: BROWSER_WORKERS,
  fullyParallel: true,
  forbidOnly: true,
  // What is expected may take its time on a busy machine; how long it takes is no test's concern.
  timeout: 300_000,
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Europe/London",
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
      ],
    },
  },
  projects: [
    { name: "operators", testMatch: operators, use: { viewport } },
    { name: "live payments", testMatch: live, use: { viewport } },
    { name: "behaviour", testIgnore: [...operators, ...live, "no-script.spec.ts"], use: { viewport } },
    { name: "no script", testMatch: "no-script.spec.ts", use: { viewport, javaScriptEnabled: false } },
  ],
});

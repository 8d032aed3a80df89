import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig } from "playwright/test";
import { systemBrowser } from "./testing/browser.ts";

const executablePath = systemBrowser();

const viewport = { width: 1280, height: 900 };

/** The files whose tests come from this one, which starts a service for them. */
function filesWith(fixtures: string): string[] {
  const uses = new RegExp(`import \\{[^}]*\\btest\\b[^}]*\\} from "\\./${fixtures}"`);
  return globSync("e2e/*.spec.ts", { cwd: import.meta.dirname })
    .filter((file) => uses.test(readFileSync(join(import.meta.dirname, file), "utf8")))
    .map((file) => basename(file));
}
const operators = filesWith("operator.ts");
const live = filesWith("live.ts");
/** Each has a service of its own, and its tests follow each other. */
const alone = ["hostile.spec.ts", "canary.spec.ts", "newcomer-walk.spec.ts"];

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  // On two cores: for a third of its time a test waits for the page, and two would leave the processors idle.
  workers: 3,
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
  // Those that one worker has to do come first, so that all workers finish at about the same time. A second worker would start the same
  // services once more.
  projects: [
    { name: "operators", testMatch: operators, use: { viewport }, workers: 1 },
    { name: "live payments", testMatch: live, use: { viewport }, workers: 1 },
    { name: "services of their own", testMatch: alone, use: { viewport } },
    { name: "behaviour", testIgnore: [...operators, ...live, ...alone], use: { viewport } },
  ],
});

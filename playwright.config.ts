import { defineConfig } from "playwright/test";
import { systemBrowser } from "./lib/testing/browser.ts";
import { BROWSER_WORKERS } from "./lib/testing/workers.ts";

const executablePath = systemBrowser();

const viewport = { width: 1280, height: 900 };

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
    { name: "behaviour", testIgnore: "no-script.spec.ts", use: { viewport } },
    { name: "no script", testMatch: "no-script.spec.ts", use: { viewport, javaScriptEnabled: false } },
  ],
});

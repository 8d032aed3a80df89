import { defineConfig, type PlaywrightTestConfig } from "playwright/test";
import { systemBrowser } from "./lib/testing/browser.ts";

const executablePath = systemBrowser();

const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** Every page at both sizes; everything else once. */
const looks: PlaywrightTestConfig["projects"] = Object.entries(SIZES).map(([size, viewport]) => ({
  name: size,
  testMatch: "pages.spec.ts",
  use: { viewport, hasTouch: size === "phone" },
}));

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  workers: 2,
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
    ...looks,
    { name: "behaviour", testIgnore: ["pages.spec.ts", "no-script.spec.ts"], use: { viewport: SIZES.wide } },
    { name: "no script", testMatch: "no-script.spec.ts", use: { viewport: SIZES.wide, javaScriptEnabled: false } },
  ],
});

import type { Locator } from "playwright/test";
import { expect, test } from "./test.ts";

// That every page is whole without a script: see sent-pages.spec.ts.

test.use({ javaScriptEnabled: false });
// A browser that runs no scripts reports those that it did not load.
test.beforeEach(({ faults }) => faults.allow(/^failed: .*\.js csp$/));

test("a search works without a script and keeps the query in its field", async ({ page }) => {
  await page.goto("/tasks");
  await page.getByRole("searchbox").fill("glossary");
  await page.getByLabel("State").selectOption("completed");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/q=glossary/);
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("searchbox")).toHaveValue("glossary");
  await expect(page.getByLabel("State")).toHaveValue("completed");
});

test("paging works without a script", async ({ page }) => {
  await page.goto("/agents");
  await page.getByRole("link", { name: "Older →" }).click();
  await expect(page.getByRole("link", { name: "← Newer" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
});

test("without a script the panel of a phone opens, and what needs one is hidden", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(page.getByRole("button", { name: /^Copy/, includeHidden: true })).not.toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Copy/ })).toHaveCount(0);
  await page.getByRole("button", { name: "More" }).click();
  await expect(page.getByRole("navigation", { name: "More" }).getByRole("link", { name: "About" })).toBeVisible();
});

test("without a script the network page has its table instead of the map, and finds an agent", async ({ page }) => {
  await page.goto("/network");
  for (const hidden of [page.getByText("Loading the map"), page.locator(".network-overview")]) {
    await expect(hidden).toHaveCount(1);
    await expect(hidden).toBeHidden();
  }
  const table = page.getByRole("table");
  const left = async (part: Locator) => (await part.boundingBox())?.x;
  expect(await left(page.getByRole("search"))).toBe(await left(table));
  await page.getByLabel("Find an agent by name").fill("quill");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await expect(table.getByRole("link", { name: "Quill Translations" })).toBeVisible();
});

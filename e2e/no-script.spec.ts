import { expect, PAGE_GROUPS, pagesOf, test } from "./test.ts";

test.use({ javaScriptEnabled: false });
// A browser that runs no scripts reports those that it did not load.
test.beforeEach(({ faults }) => faults.allow(/^failed: .*\.js csp$/));

for (const names of PAGE_GROUPS)
  test(`whole without a script: ${names.join(", ")}`, async ({ page, world }) => {
    for (const { name, path, heading } of pagesOf(world).filter((each) => names.includes(each.name))) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }), name).toHaveText(heading);
      expect(await page.title(), name).toMatch(/Guildhall/);
      await expect(page.getByRole("button", { name: /^Copy/ }), name).toHaveCount(0);
    }
  });

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

test("the panel of a phone opens without a script", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByRole("button", { name: "More" }).click();
  await expect(page.getByRole("navigation", { name: "More" }).getByRole("link", { name: "About" })).toBeVisible();
});

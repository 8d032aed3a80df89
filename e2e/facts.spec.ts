import { expect, test } from "./test.ts";

test("a task's path shows who did what and whose turn it is", async ({ page, world }) => {
  await page.goto(`/tasks/${world.tasks.claimed}`);
  const path = page.getByRole("region", { name: "Progress" });
  await expect(path.getByRole("listitem").filter({ hasText: "Claimed" })).toContainText("Quill Translations");
  await expect(path).toContainText("Waiting for Atlas Research to propose an agreement.");
  await expect(path).toContainText("Given back by Northlight Transcripts");
  await expect(path).toContainText("Terms declined by Quill Translations");
});

test("visitors see an agreement's amount, hash and acceptances, but not its terms", async ({ page, world }) => {
  await page.goto(`/tasks/${world.tasks.completed}`);
  const agreement = page.getByRole("article", { name: "Agreement" });
  await expect(agreement).toContainText("£19.99 simulated");
  await expect(agreement).toContainText(/sha256:[0-9a-f]{64}/);
  await expect(agreement.getByText(/Accepted \d/)).toHaveCount(2);
  const html = await page.content();
  for (const secret of ["What the brief says, once", "Synthetic data only", "Weiche: points"]) {
    expect(html).not.toContain(secret);
  }
});

test("money in TEST is marked and says that it is simulated, on lists and pages", async ({ page, world }) => {
  await page.goto("/tasks?state=completed");
  const row = page.locator(`li.row:has(a[href="/tasks/${world.tasks.completed}"])`);
  await expect(row).toContainText(/£19\.99 simulated\s*TEST/);
  await page.goto(`/tasks/${world.tasks.completed}`);
  await expect(page.getByRole("main")).toContainText(/£19\.99 simulated\s*TEST/);
});

test("an identifier copies on click and says that it did", async ({ page, context, world }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/tasks/${world.tasks.open}`);
  await page.getByRole("button", { name: "Copy the task ID" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(world.tasks.open);
});

test("a party without a public profile is named but not linked", async ({ page, world }) => {
  await page.goto(`/tasks/${world.tasks.behind}`);
  const main = page.getByRole("main");
  await expect(main.getByRole("region", { name: "Details" })).toContainText("Hidden Hand");
  await expect(page.getByRole("article", { name: "Agreement" })).toContainText("Hidden Hand");
  await expect(main.locator(`a[href="/agents/${world.agents.hidden}"]`)).toHaveCount(0);
  await expect(main.getByRole("link", { name: "Atlas Research" })).toHaveCount(2);
});

import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./test.ts";

test("Ctrl-K finds everything by keyboard alone, and gives the focus back", async ({ page }) => {
  await page.goto("/about", { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "status page" }).focus();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Search everything" });
  await expect(box).toBeFocused();
  await box.fill("translations");
  const options = page.getByRole("option");
  await expect(options.first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(box).toHaveAttribute("aria-activedescendant", /.+/);
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page, { part: "dialog[open]" });
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(page.getByRole("link", { name: "status page" })).toBeFocused();
  await page.keyboard.press("Control+k");
  await box.fill("translations");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=translations$/);
  await expect(page.getByRole("heading", { level: 2, name: "Agents" })).toBeVisible();
});

test("a search leads through one kind page by page, by keyboard", async ({ page }) => {
  await page.goto("/search?q=count");
  await page.getByRole("link", { name: "All matching tasks" }).press("Enter");
  await expect(page).toHaveURL(/\/search\?q=count&kind=tasks$/);
  const kinds = page.getByRole("navigation", { name: "Kinds of results" });
  await expect(kinds.getByRole("link", { name: "Tasks" })).toHaveAttribute("aria-current", "page");
  const titles = page.getByRole("main").getByRole("listitem");
  await expect(titles).toHaveCount(20);
  const first = await titles.first().textContent();
  await page.getByRole("link", { name: "Older →" }).press("Enter");
  await expect(page).toHaveURL(/cursor=/);
  await expect(titles.first()).not.toHaveText(first ?? "");
  await page.getByRole("link", { name: "← Newer" }).press("Enter");
  await expect(titles.first()).toHaveText(first ?? "");
  await kinds.getByRole("link", { name: "Agents" }).press("Enter");
  await expect(titles).not.toHaveCount(0);
});

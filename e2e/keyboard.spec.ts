import { focused, tabTo } from "./owner.ts";
import { expect, test } from "./test.ts";

test("the first Tab key skips to the content, whose filters and rows follow in the order in which they are read", async ({
  page,
}) => {
  await page.goto("/tasks");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("a Skip to content");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  for (const wanted of [
    "input Search titles and summaries",
    "select State",
    "input Skill",
    "select Mode",
    "button Search",
    "a Translate the manual of a water clock into German",
    "a Transcribe twelve pages of a synthetic ledger",
  ]) {
    await tabTo(page, wanted, 1);
  }
});

test("a focused row is outlined as a whole, and Enter follows its link", async ({ page, world }) => {
  await page.goto("/tasks?q=water+clock");
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await tabTo(page, "a Translate the manual of a water clock into German");
  const [outline, covers] = await page.evaluate(() => {
    const link = document.activeElement as HTMLElement;
    const after = getComputedStyle(link, "::after");
    const row = link.closest("li") as HTMLElement;
    return [after.outlineStyle, Number.parseFloat(after.width) === row.clientWidth] as const;
  });
  expect(outline).toBe("solid");
  expect(covers).toBe(true);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/tasks/${world.tasks.open}`);
});

test("lines that scroll can be scrolled by keyboard", async ({ page }) => {
  await page.goto("/docs");
  const scrolling = await page
    .locator("pre")
    .evaluateAll(
      (blocks) => blocks.filter((block) => block.scrollWidth > block.clientWidth && block.tabIndex < 0).length,
    );
  expect(scrolling).toBe(0);
});

test("the colours follow the switch, and are remembered", async ({ page }) => {
  await page.goto("/about");
  await page.getByRole("radio", { name: "Dark" }).check({ force: true });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
});

import { expect, test } from "./test.ts";

test("a link inside the site keeps the document, and a click with Control opens a tab instead", async ({ page }) => {
  await page.goto("/agents", { waitUntil: "networkidle" });
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
  const isSameDocument = () => page.evaluate(() => "isSameDocument" in globalThis);
  const tasks = page.getByRole("banner").getByRole("link", { name: "Tasks", exact: true });

  const [tab] = await Promise.all([page.context().waitForEvent("page"), tasks.click({ modifiers: ["ControlOrMeta"] })]);
  await expect(tab).toHaveURL("/tasks");
  await expect(page).toHaveURL("/agents");

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await tasks.click();
  await expect(page.getByRole("heading", { name: "Tasks", level: 1 })).toBeVisible();
  await expect(page).toHaveURL("/tasks");
  await expect(tasks).toHaveAttribute("aria-current", "page");
  expect(await isSameDocument()).toBe(true);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  await page.goBack();
  await expect(page.getByRole("heading", { name: "Agents", level: 1 })).toBeVisible();
  expect(await isSameDocument()).toBe(true);
});

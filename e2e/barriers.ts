import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";

/** Looks at the page that is open, in light and in dark: axe finds nothing, and nothing reaches beyond its right edge. */
export async function expectNoBarrier(page: Page): Promise<void> {
  const address = page.url();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.emulateMedia({ colorScheme: "light" });
  // What is closed is looked at as well.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  const all = await axe()
    .options({ resultTypes: ["violations"] })
    .analyze();
  await page.emulateMedia({ colorScheme: "dark" });
  const colours = await axe()
    .options({ resultTypes: ["violations"], runOnly: { type: "tag", values: ["cat.color"] } })
    .analyze();
  const found = [...all.violations, ...colours.violations];
  expect(
    found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    address,
  ).toEqual([]);
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond, `${address}: pixels beyond the right edge`).toBe(0);
}

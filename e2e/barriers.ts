import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";

/** What axe finds in the page, or in one part of it: everything in light colours, in dark ones what colours can change. */
export async function barriers(page: Page, scheme: "light" | "dark", part?: string): Promise<string[]> {
  // No page has frames: the plain way does, and spares sending every element of a long page back and forth.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (part) axe.include(part);
  const { violations } = await (scheme === "light"
    ? axe.options({ resultTypes: ["violations"] })
    : axe.options({ resultTypes: ["violations"], runOnly: { type: "tag", values: ["cat.color"] } })
  ).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** How many pixels of the page lie beyond its right edge. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/**
 * Looks at the page that is open, or at one part of it, in light and in dark: axe finds nothing, and nothing reaches beyond the
 * page's right edge.
 */
export async function expectNoBarrier(page: Page, part = "html"): Promise<void> {
  const about = `${page.url()}: ${part}`;
  await expect(page.locator("h1")).toBeVisible();
  // What is closed is looked at as well, and what the pointer happens to be over looks otherwise.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await page.mouse.move(0, 0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await barriers(page, colorScheme, part), `${about} in ${colorScheme} colours`).toEqual([]);
  }
  expect(await overflowOf(page), `${about}: pixels beyond the right edge`).toBe(0);
}

/** The same on a phone and on a wide screen, which the page has afterwards. */
export async function expectNoBarrierInEitherSize(page: Page): Promise<void> {
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 900 },
  ]) {
    await page.setViewportSize(size);
    await expectNoBarrier(page);
  }
}

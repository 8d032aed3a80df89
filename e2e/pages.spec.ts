import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect, PAGE_NAMES, pagesOf, test } from "./test.ts";

type Shifting = { layoutShift: number };

/** Adds up how far things moved under the reader, from the first paint on. */
async function measureShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = window as unknown as Shifting;
    counted.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) counted.layoutShift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

for (const name of PAGE_NAMES) {
  test(`${name}: nothing is wrong, nothing moves, nothing overflows`, async ({ page, world }) => {
    const about = pagesOf(world).find((each) => each.name === name);
    if (!about) throw new Error(`no page is called ${name}`);
    await measureShift(page);
    const response = await page.goto(about.path, { waitUntil: "networkidle" });
    expect(response?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(about.heading);
    await page.evaluate(() => document.fonts.ready);

    expect(await page.evaluate(() => (window as unknown as Shifting).layoutShift), "layout shift").toBe(0);
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(overflow, "pixels beyond the right edge").toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  });
}

test("a missing page: nothing is wrong with it either", async ({ page, faults }) => {
  const response = await page.goto("/nothing/here", { waitUntil: "networkidle" });
  expect(response?.status()).toBe(404);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  // The browser itself reports that the page was missing, twice; everything else would be a fault.
  expect(faults.splice(0).filter((fault) => !/404/.test(fault))).toEqual([]);
});

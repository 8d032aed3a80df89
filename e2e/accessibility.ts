import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";

/**
 * Which of axe's rules to check. Colours depend on the scheme alone, and what scrolls on the width alone; everything else is the same
 * in every scheme, and on every width that shows the same parts. Checking everything everywhere would take most of the tests' time.
 */
type Rules = "all" | "colours" | "scrolling";

const only = (...values: string[]): RunOptions => ({ resultTypes: ["violations"], runOnly: { type: "rule", values } });
const OPTIONS: Record<Rules, RunOptions> = {
  all: { resultTypes: ["violations"] },
  colours: only("color-contrast", "link-in-text-block"),
  scrolling: only("scrollable-region-focusable"),
};

// Less than half as long as `axe.source`, and every page has to read it.
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Axe's violations in the page, or in one part of it. No page has frames, so axe runs in the page alone. */
export async function axeViolations(page: Page, rules: Rules, part?: string): Promise<string[]> {
  // Loading axe takes longer than most checks: it stays in the page until the next is loaded.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(([context, options]) => window.axe.run(context, options), [
    part ?? "html",
    OPTIONS[rules],
  ] as const);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

declare global {
  interface Window {
    axe: { run(context: string, options: RunOptions): Promise<AxeResults> };
  }
}

/** How many pixels of the page are beyond its right edge. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

export const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

type Extent = {
  part?: string;
  /** Check a phone like a wide screen, because it shows other parts: the frame, and what is folded or unfolded there. */
  phoneParts?: boolean;
};

/** Checks that the open page, or one part of it, passes axe in both colour schemes and does not overflow its right edge. */
export async function expectAccessible(page: Page, { part = "html", phoneParts = false }: Extent = {}): Promise<void> {
  const about = `${page.url()}: ${part}`;
  const isWhole = phoneParts || page.viewportSize()?.width !== SIZES.phone.width;
  await expect(page.locator("h1")).toBeVisible();
  // Open collapsed parts, and move the pointer away: hovered elements have other colours.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await axeViolations(page, isWhole ? "all" : "scrolling", part), about).toEqual([]);
  expect(await overflowOf(page), `${about}: pixels beyond the right edge`).toBe(0);
  if (!isWhole) return;
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeViolations(page, "colours", part), `${about} in dark colours`).toEqual([]);
}

/** The same on a phone and on a wide screen; the page keeps the wide size. */
export async function expectAccessibleInBothSizes(page: Page, extent: Extent = {}): Promise<void> {
  for (const size of [SIZES.phone, SIZES.wide]) {
    await page.setViewportSize(size);
    await expectAccessible(page, extent);
  }
}

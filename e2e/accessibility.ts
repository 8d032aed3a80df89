import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";

/**
 * Which of axe's rules to check. Colours depend on the scheme and not on the width of the page; everything else depends on the width
 * and not on the scheme. Checking colours takes most of the time, so pages are not checked for them at every width.
 */
type Rules = "all" | "colours" | "all but colours";

/** The enabled rules with axe's tag for colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

const OPTIONS: Record<Rules, RunOptions> = {
  all: { resultTypes: ["violations"] },
  colours: { resultTypes: ["violations"], runOnly: { type: "rule", values: COLOUR_RULES } },
  "all but colours": {
    resultTypes: ["violations"],
    rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
  },
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

function isPhone(page: Page): boolean {
  return page.viewportSize()?.width === SIZES.phone.width;
}

/**
 * Checks that the open page, or one part of it, passes axe and does not overflow its right edge. Colours are checked
 * in both schemes on a wide page; on a phone only if asked for, for pages with something that only phones show.
 */
export async function expectAccessible(
  page: Page,
  { part = "html", colours = !isPhone(page) }: { part?: string; colours?: boolean } = {},
): Promise<void> {
  const about = `${page.url()}: ${part}`;
  await expect(page.locator("h1")).toBeVisible();
  // Open collapsed parts, and move the pointer away: hovered elements have other colours.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await axeViolations(page, colours ? "all" : "all but colours", part), about).toEqual([]);
  expect(await overflowOf(page), `${about}: pixels beyond the right edge`).toBe(0);
  if (!colours) return;
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeViolations(page, "colours", part), `${about} in dark colours`).toEqual([]);
}

/** The same on a phone and on a wide screen; the page keeps the wide size. @param colours for phones, as above */
export async function expectAccessibleInBothSizes(page: Page, { colours = false } = {}): Promise<void> {
  for (const [name, size] of Object.entries(SIZES).reverse()) {
    await page.setViewportSize(size);
    await expectAccessible(page, name === "phone" ? { colours } : {});
  }
}

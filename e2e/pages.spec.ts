import type { Page } from "playwright/test";
import { axeViolations, overflowOf } from "./accessibility.ts";
import { expect, PAGE_NAMES, pagesOf, test } from "./test.ts";

type Shift = { value: number; moved: string[] };
type Shifting = { layoutShifts: Shift[] };

/**
 * How far things may move. Nothing is meant to, but a browser under load may paint the beginning of a page before it has the rest.
 * 0.1 is the bound that web.dev calls good; fonts that arrive late move far more than this.
 */
const MOST_SHIFT = 0.01;

/** Records what moves under the reader, from the first paint on. */
async function measureShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = window as unknown as Shifting;
    counted.layoutShifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
        const moved = sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`);
        counted.layoutShifts.push({ value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

function shiftsOf(page: Page): Promise<Shift[]> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    return (window as unknown as Shifting).layoutShifts;
  });
}

/** Pages with parts that only phones show: their colours are checked there as well. */
const PHONE_PARTS = ["feed", "docs of a subject"];

for (const name of PAGE_NAMES) {
  test(`${name}: axe finds nothing, nothing moves and nothing overflows`, async ({ page, world }, { project }) => {
    const about = pagesOf(world).find((each) => each.name === name);
    if (!about) throw new Error(`no page is called ${name}`);
    const colours = project.name === "wide" || PHONE_PARTS.includes(name);
    await measureShift(page);
    const response = await page.goto(about.path);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(about.heading);
    // The scheme is the browser's, and styles alone follow it: the open page changes its colours in place.
    for (const scheme of colours ? (["light", "dark"] as const) : (["light"] as const)) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await overflowOf(page), "pixels beyond the right edge").toBe(0);
      const rules = scheme === "dark" ? "colours" : colours ? "all" : "all but colours";
      expect(await axeViolations(page, rules)).toEqual([]);
    }
    const shifts = await shiftsOf(page);
    const shift = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(shift, `layout shift of ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MOST_SHIFT);
  });
}

test("a page for a refused request: axe finds nothing and nothing overflows", async ({ page, faults }) => {
  const refused = await page.request.post("/about", { data: "x".repeat(300 * 1024) });
  expect(refused.status()).toBe(413);
  await page.route("**/about", (route) => route.fulfill({ response: refused }));
  faults.allowStatus(413);
  await page.goto("/about");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Request too large");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await overflowOf(page), "pixels beyond the right edge").toBe(0);
    expect(await axeViolations(page, scheme === "light" ? "all" : "colours")).toEqual([]);
  }
});

test("a missing page: axe finds nothing", async ({ page, faults }) => {
  const response = await page.goto("/nothing/here");
  expect(response?.status()).toBe(404);
  faults.allowStatus(404);
  expect(await axeViolations(page, "all")).toEqual([]);
});

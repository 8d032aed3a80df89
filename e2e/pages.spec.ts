import type { Page } from "playwright/test";
import { axeViolations, overflowOf, SIZES } from "./accessibility.ts";
import { expect, PAGE_GROUPS, pagesOf, test } from "./test.ts";

type Shift = { value: number; moved: string[] };
type Shifting = { layoutShifts: Promise<Shift[]> };

/**
 * How far things may move. Nothing is meant to, but a fallback is never quite as wide as the font that takes its place. 0.1 is the
 * bound that web.dev calls good; fonts without such fallbacks move far more than this.
 */
const MOST_SHIFT = 0.01;

/**
 * Records what moves under the reader, from the first frame on that has all of the page. A busy browser may paint the beginning of a
 * page before it has read the rest, which then moves what was painted. That happens before, and does not count.
 */
async function measureShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const observe = () => {
      const shifts: Shift[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
          const moved = sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`);
          shifts.push({ value, moved });
        }
      }).observe({ type: "layout-shift" });
      return shifts;
    };
    (window as unknown as Shifting).layoutShifts = new Promise((resolve) => {
      // The callbacks of a frame run before its layout: those of the second frame follow the layout of the first.
      const begin = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(observe())));
      document.addEventListener("DOMContentLoaded", begin);
    });
  });
}

/** Waits until the open page has been painted whole: from then on, what moves is recorded. */
function untilPainted(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as Shifting).layoutShifts.then(() => undefined));
}

function shiftsOf(page: Page): Promise<Shift[]> {
  return page.evaluate(async () => {
    const shifts = await (window as unknown as Shifting).layoutShifts;
    await document.fonts.ready;
    // The observer is called after the frame that moved something.
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    return shifts;
  });
}

/** Makes the page one on this device; the open page follows, as it would if the window were resized. */
async function showOn(page: Page, size: keyof typeof SIZES): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setTouchEmulationEnabled", { enabled: size === "phone" });
  await client.detach();
  await page.setViewportSize(SIZES[size]);
}

async function open(page: Page, { path, heading }: { path: string; heading: string | RegExp }): Promise<void> {
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
}

async function expectSteady(page: Page, about: string): Promise<void> {
  const shifts = await shiftsOf(page);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect.soft(sum, `${about}: layout shift of ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MOST_SHIFT);
  expect.soft(await overflowOf(page), `${about}: pixels beyond the right edge`).toBe(0);
}

const NARROWEST = { width: 320, height: 568 };

/** Pages with parts that only phones show, or that only scroll there: axe checks them in both widths. */
const PHONE_PARTS = ["front page", "feed", "network", "docs of a subject"];

// Pages share a tab, which has their scripts and styles then: that costs half as much as a new one for each.
for (const names of PAGE_GROUPS)
  test(`axe finds nothing, nothing moves and nothing overflows: ${names.join(", ")}`, async ({ page, world }) => {
    // What late fonts move is the subject of the test below: here the tab has them.
    await page.goto("/legal/terms");
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await measureShift(page);
    for (const about of pagesOf(world).filter(({ name }) => names.includes(name))) {
      const { name } = about;
      await page.emulateMedia({ colorScheme: "light" });
      await showOn(page, "phone");
      await open(page, about);
      await expectSteady(page, `${name} on a phone`);
      await page.setViewportSize(NARROWEST);
      expect.soft(await overflowOf(page), `${name} on a narrow phone: pixels beyond the right edge`).toBe(0);
      await showOn(page, "wide");
      await open(page, about);
      await expectSteady(page, name);
      expect.soft(await axeViolations(page, "all"), name).toEqual([]);
      // The scheme is the browser's, and styles alone follow it: the open page changes its colours in place.
      await page.emulateMedia({ colorScheme: "dark" });
      expect.soft(await overflowOf(page), `${name} in dark colours: pixels beyond the right edge`).toBe(0);
      expect.soft(await axeViolations(page, "colours"), `${name} in dark colours`).toEqual([]);
      if (!PHONE_PARTS.includes(name)) continue;
      await showOn(page, "phone");
      expect.soft(await axeViolations(page, "colours"), `${name} on a phone in dark colours`).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      expect.soft(await axeViolations(page, "all"), `${name} on a phone`).toEqual([]);
    }
  });

test("late fonts take the place of their fallbacks, in which a page can be read at once, and hardly anything moves", async ({
  page,
  world,
}) => {
  await measureShift(page);
  let arrive = Promise.withResolvers<void>();
  await page.route(/\.woff2/, async (route) => {
    await arrive.promise;
    await route.continue();
  });
  const areLoaded = () =>
    page.evaluate(() =>
      [...document.fonts].filter(({ family }) => !family.endsWith("Fallback")).map(({ status }) => status),
    );
  const shown = ["front page", "a thread", "an open task", "offers", "docs of a subject"];
  for (const size of ["phone", "wide"] as const)
    for (const about of pagesOf(world).filter(({ name }) => shown.includes(name))) {
      await showOn(page, size);
      arrive = Promise.withResolvers();
      await page.goto(about.path, { waitUntil: "domcontentloaded" });
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(about.heading);
      // The browser keeps fonts that it has seen.
      if (about.name === shown[0] && size === "phone") expect(await areLoaded()).not.toContain("loaded");
      await untilPainted(page);
      arrive.resolve();
      await expect.poll(areLoaded).toContain("loaded");
      await expectSteady(page, `${about.name}, ${size}, with late fonts`);
    }
});

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
  await page.setViewportSize(SIZES.phone);
  expect(await overflowOf(page), "pixels beyond the right edge of a phone").toBe(0);
});

test("a missing page: axe finds nothing", async ({ page, faults }) => {
  const response = await page.goto("/nothing/here");
  expect(response?.status()).toBe(404);
  faults.allowStatus(404);
  expect(await axeViolations(page, "all")).toEqual([]);
});

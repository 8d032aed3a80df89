import { chromium } from "playwright";
import { systemBrowser } from "#lib/testing/browser.ts";
import { round } from "./statistics.ts";

const LOADS = 5;
const SETTLE_MS = 700;

export type PaintRow = {
  page: string;
  /** The largest paint, from the start of the navigation: the median of some loads with an empty cache. */
  largestMs: number;
  /** The most that anything moved in one of these loads. */
  shift: number;
  /** What the browser fetched, as it was sent. */
  kilobytes: { html: number; scripts: number; fonts: number; styles: number };
};

type Measured = { largest: number; shift: number; bytes: Record<"html" | "scripts" | "fonts" | "styles", number> };

/** How soon the main pages show their largest part, and how much moves while they load, in Chromium at 1280 × 800. */
export async function measurePaint(url: string, paths: readonly string[]): Promise<PaintRow[]> {
  const executablePath = systemBrowser();
  const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath ? { executablePath } : {}) });
  const load = async (path: string): Promise<Measured> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = { largest: 0, shift: 0 };
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.largest = entry.startTime;
      }).observe({ type: "largest-contentful-paint", buffered: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(url + path, { waitUntil: "load" });
    await page.waitForTimeout(SETTLE_MS);
    const measured = await page.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { largest: number; shift: number } };
      const bytes = { html: 0, scripts: 0, fonts: 0, styles: 0 };
      for (const entry of performance.getEntriesByType("navigation") as PerformanceNavigationTiming[])
        bytes.html += entry.encodedBodySize;
      for (const entry of performance.getEntriesByType("resource") as PerformanceResourceTiming[]) {
        const [, kind] = /\.(js|css|woff2)(?:\?|$)/.exec(entry.name) ?? [];
        if (kind === "js") bytes.scripts += entry.encodedBodySize;
        else if (kind === "css") bytes.styles += entry.encodedBodySize;
        else if (kind === "woff2") bytes.fonts += entry.encodedBodySize;
      }
      return { ...seen, bytes };
    });
    await context.close();
    return measured;
  };
  try {
    const rows: PaintRow[] = [];
    for (const path of paths) {
      // The first load fills the service's caches, not the browser's.
      await load(path);
      const loads: Measured[] = [];
      for (let turn = 0; turn < LOADS; turn += 1) loads.push(await load(path));
      const sorted = loads.map(({ largest }) => largest).sort((one, other) => one - other);
      const { html, scripts, fonts, styles } = loads[0]?.bytes ?? { html: 0, scripts: 0, fonts: 0, styles: 0 };
      const kb = (bytes: number) => round(bytes / 1000, 1);
      rows.push({
        page: path.replace(/[a-z]+_\w+$/, "…"),
        largestMs: Math.round(sorted[Math.floor(LOADS / 2)] ?? 0),
        shift: round(Math.max(...loads.map(({ shift }) => shift)), 4),
        kilobytes: { html: kb(html), scripts: kb(scripts), fonts: kb(fonts), styles: kb(styles) },
      });
    }
    return rows;
  } finally {
    await browser.close();
  }
}

import pg from "pg";
import { chromium, type Page } from "playwright";
import { systemBrowser } from "#lib/testing/browser.ts";
import { latencies } from "./statistics.ts";

export type InteractionRow = {
  agents: number;
  /** From a key or a click to the next frame that shows what it did, of all interactions. */
  ms: { p50: number; p95: number; max: number };
  /** The longest time between two frames while the map was dragged and zoomed by the wheel. */
  longestFrameMs: number;
};

const ROUNDS = 10;
const KEYS = ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "+", "+", "-", "0", "Escape"];

/** The network of a data set has the usual few who reply most; this gives it as many agents as the map can hold, in groups of fifty. */
export async function fillNetwork(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`
      WITH agents AS (
        SELECT id, row_number() OVER (ORDER BY seq)::int - 1 AS n FROM profiles WHERE suspended_at IS NULL ORDER BY seq LIMIT 5000
      ), links AS (
        SELECT n, n / 50 * 50 + n * 17 % 50 AS other, 2000 + n % 50 AS replies FROM agents
        UNION ALL SELECT n, (n + 1) % 5000, 2000 FROM agents
        UNION ALL SELECT n, n * 613 % 5000, 1500 FROM agents WHERE n % 5 = 0
      )
      INSERT INTO reply_edges (from_id, to_id, replies, last_at)
      SELECT a.id, b.id, max(replies), now() FROM links JOIN agents a USING (n) JOIN agents b ON b.n = other
      WHERE a.id <> b.id GROUP BY a.id, b.id
      ON CONFLICT (from_id, to_id) DO UPDATE SET replies = excluded.replies`);
  } finally {
    await client.end();
  }
}

/** How soon the map of the network shows what one does on it, in Chromium at 1280 × 800. */
export async function measureInteraction(url: string): Promise<InteractionRow> {
  const executablePath = systemBrowser();
  const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath ? { executablePath } : {}) });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(() => {
      const seen = { interactions: [] as number[] };
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
          if (entry.interactionId > 0) seen.interactions.push(entry.duration);
      }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    });
    const fetched = page.waitForResponse("**/network/map.json");
    await page.goto(`${url}/network`, { waitUntil: "networkidle" });
    const { agents } = (await (await fetched).json()) as { agents: unknown[] };
    const map = page.getByRole("application");
    for (let round = 0; round < ROUNDS; round += 1) {
      await map.focus();
      for (const key of KEYS) await page.keyboard.press(key, { delay: 40 });
      for (const name of ["Zoom in", "All"]) await page.getByRole("button", { name, exact: true }).click({ delay: 40 });
    }
    const longestFrameMs = await longestFrame(page, () => moveAbout(page));
    const durations = await page.evaluate(
      () => (globalThis as unknown as { seen: { interactions: number[] } }).seen.interactions,
    );
    if (durations.length < ROUNDS) throw new Error(`Only ${durations.length} interactions were seen.`);
    return { agents: agents.length, ms: latencies(durations), longestFrameMs };
  } finally {
    await browser.close();
  }
}

async function moveAbout(page: Page): Promise<void> {
  const box = await page.getByRole("application").boundingBox();
  if (!box) throw new Error("The map is not shown.");
  const { x, y, width, height } = box;
  await page.mouse.move(x + 6, y + 6);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 60 });
  await page.mouse.up();
  for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(0, turn < 15 ? -60 : 60);
}

async function longestFrame(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const watch = { longest: 0, isOver: false };
    Object.assign(globalThis, { watch });
    let last = performance.now();
    const look = (now: number) => {
      watch.longest = Math.max(watch.longest, now - last);
      last = now;
      if (!watch.isOver) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await act();
  return page.evaluate(() => {
    const { watch } = globalThis as unknown as { watch: { longest: number; isOver: boolean } };
    watch.isOver = true;
    return Math.round(watch.longest);
  });
}

import type { Page } from "playwright/test";
import { Client } from "./service/client.ts";
import { Member } from "./service/community.ts";
import { expect, test } from "./test.ts";

const POLL = "**/api/v1/community/?view=feed&after=*";
const button = (page: Page) => page.getByRole("button", { name: /new post/ });

/** Answers each poll with so many new posts, or with a refusal; returns what was asked. */
async function answerWith(page: Page, news: (number | "refused")[]): Promise<string[]> {
  const asked: string[] = [];
  await page.route(POLL, async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.search);
    const count = news.shift() ?? 0;
    if (count === "refused") return route.fulfill({ status: 503, body: "{}" });
    const point = Number(url.searchParams.get("after")) + count;
    return route.fulfill({ json: { ok: true, posts: Array.from({ length: count }, () => ({})), next_after: point } });
  });
  return asked;
}

/** Lets time pass until so many polls have been sent in all. */
async function passUntil(page: Page, asked: readonly string[], count: number, mostSeconds: number): Promise<number> {
  let seconds = 0;
  for (; asked.length < count && seconds < mostSeconds; seconds += 1) await page.clock.runFor(1_000);
  return seconds;
}

test("new posts are told of, and move nothing", async ({ page }) => {
  await page.clock.install();
  const asked = await answerWith(page, [0, 1, 2]);
  await page.goto("/?room=help");
  const list = page.getByRole("region", { name: "Posts" });
  const place = await list.boundingBox();
  expect(await passUntil(page, asked, 1, 60)).toBeGreaterThanOrEqual(15);
  expect(asked[0]).toMatch(/^\?view=feed&after=\d+&limit=50&room=help$/);
  await passUntil(page, asked, 2, 60);
  await expect(button(page)).toHaveText("Show 1 new post");
  await passUntil(page, asked, 3, 60);
  await expect(button(page)).toHaveText("Show 3 new posts");
  const points = asked.map((search) => Number(new URLSearchParams(search).get("after")));
  expect([points[1], points[2]]).toEqual([points[0], (points[0] ?? 0) + 1]);
  expect(await list.boundingBox()).toEqual(place);
});

test("what was posted meanwhile comes without loading the page anew, and has the focus", async ({
  page,
  world,
  baseURL,
}) => {
  await page.clock.install();
  await page.goto("/?room=introductions");
  await page.evaluate(() => {
    (window as unknown as { kept: boolean }).kept = true;
  });
  const title = `A thread of this very moment, ${Math.random()}`;
  await new Member(new Client(baseURL ?? ""), world.community.ledger).post({
    title,
    body: "Hello.",
    room: "introductions",
  });
  const polled = page.waitForResponse(POLL);
  await page.clock.runFor(30_000);
  await polled;
  await button(page).click();
  const list = page.getByRole("region", { name: "Posts" });
  await expect(list.getByRole("listitem").first()).toContainText(title);
  await expect(list).toBeFocused();
  await expect(button(page)).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { kept?: boolean }).kept)).toBe(true);
});

test("while answers fail, it is asked less and less often", async ({ page, faults }) => {
  await page.clock.install();
  const asked = await answerWith(page, ["refused", "refused", 0, 0]);
  faults.allowStatus(503, 503);
  await page.goto("/?room=help");
  const first = await passUntil(page, asked, 1, 60);
  const second = await passUntil(page, asked, 2, 120);
  const third = await passUntil(page, asked, 3, 240);
  const fourth = await passUntil(page, asked, 4, 240);
  expect(second).toBeGreaterThan(first * 1.5);
  expect(third).toBeGreaterThan(second * 1.5);
  expect(fourth).toBeLessThan(third);
});

test("a hidden page asks nothing, and one that comes back does soon", async ({ page }) => {
  await page.clock.install();
  const asked = await answerWith(page, []);
  await page.goto("/?room=help");
  const show = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await show("hidden");
  await page.clock.runFor(600_000);
  expect(asked).toEqual([]);
  await show("visible");
  expect(await passUntil(page, asked, 1, 60)).toBeLessThan(10);
});

test("older pages and searches ask nothing", async ({ page }) => {
  await page.clock.install();
  const asked = await answerWith(page, []);
  for (const path of ["/?room=showcase&before=100000", "/?q=chapter"]) {
    await page.goto(path);
    await page.clock.runFor(120_000);
  }
  expect(asked).toEqual([]);
});
